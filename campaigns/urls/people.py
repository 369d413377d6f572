from django.urls import path

from campaigns import enrol_views, invite_views, open_views, people_views, settings_views

urlpatterns = [
    path("new/", settings_views.campaign_new, name="campaign_new"),
    path("join/", invite_views.campaign_join, name="campaign_join"),
    path("join/<str:token>/", invite_views.join, name="join"),
    path("open/", open_views.campaigns_open, name="campaigns_open"),
    path("open/<int:pk>/", open_views.open_campaign, name="open_campaign"),
    path("open/<str:token>/", open_views.open_campaign, name="open_campaign"),
    path("<int:pk>/settings/", settings_views.campaign_settings, name="campaign_settings"),
    path("<int:pk>/clone/", settings_views.campaign_clone, name="campaign_clone"),
    path("<int:pk>/people/", people_views.campaign_people, name="campaign_people"),
    path("<int:pk>/people/<int:person>/role/", people_views.member_role, name="member_role"),
    path("<int:pk>/people/<int:person>/remove/", people_views.member_remove, name="member_remove"),
    path("<int:pk>/hand-over/", people_views.campaign_hand_over, name="campaign_hand_over"),
    path("<int:pk>/leave/", people_views.campaign_leave, name="campaign_leave"),
    path("<int:pk>/requests/<int:number>/", people_views.request_answer, name="request_answer"),
    path("<int:pk>/request/", invite_views.campaign_request, name="campaign_request"),
    path("<int:pk>/invite/", invite_views.campaign_invite, name="campaign_invite"),
    path("<int:pk>/invite/<int:invitation>/revoke/", invite_views.invitation_revoke, name="invitation_revoke"),
    path("<int:pk>/enrol/", enrol_views.campaign_enrol, name="campaign_enrol"),
    path("<int:pk>/found/", enrol_views.campaign_found, name="campaign_found"),
    path("<int:pk>/enrol/<int:warband>/withdraw/", enrol_views.campaign_withdraw, name="campaign_withdraw"),
    path("<int:pk>/begin/", enrol_views.campaign_begin, name="campaign_begin"),
]
