from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """An account made by an operator or a program, whose word confirms the address; people sign up instead."""
        user = self.model(email=email.lower(), **fields)
        user.set_password(password)
        with transaction.atomic(using=self._db):
            user.save(using=self._db)
            EmailAddress.objects.using(self._db).create(user=user, email=user.email, verified=True, primary=True)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person, known to others by a name and to us by an e-mail address."""

    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=60, help_text=_("What the others in a campaign call you."))
    is_staff = models.BooleanField(_("may use the panel"), default=False)
    is_active = models.BooleanField(_("may sign in"), default=True)
    joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("email"), name="one_account_an_address"),
            models.CheckConstraint(condition=~models.Q(name=""), name="person_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def initial(self) -> str:
        return self.name[0].upper()

    @property
    def has_two_factor(self) -> bool:
        return bool(Authenticator.objects.filter(user=self).exists())
