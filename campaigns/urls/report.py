from django.urls import path

from campaigns import report_views as views

BATTLE = "<int:pk>/battles/<int:number>"

urlpatterns = [
    path(f"{BATTLE}/report/", views.report, name="report"),
    path(f"{BATTLE}/report/line/", views.report_line, name="report_line"),
    path(f"{BATTLE}/report/take-back/", views.report_take_back, name="report_take_back"),
    path(f"{BATTLE}/report/confirm/", views.report_confirm, name="report_confirm"),
    path(f"{BATTLE}/report/dispute/", views.report_dispute, name="report_dispute"),
    path(f"{BATTLE}/report/ruling/", views.report_rule, name="report_rule"),
]
