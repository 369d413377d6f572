"""Skills, model rules and spells."""

from api.call import Ask, call
from api.calls.codex.entries import CodexList, entries_of, told
from api.paging import Page
from rules.access import entry_of
from rules.engine.pack import schema


class CodexSkill(schema.Skill, frozen=True, kw_only=True):
    slug: str
    heading: str
    pack: str
    rulings: tuple[int, ...]


@call("get", "codex/skills", open=True, serves=("codex_kind",))
def list_skills(ask: Ask, query: CodexList) -> Page[CodexSkill]:
    """Skills by list."""
    return entries_of("skills", query, lambda entry: CodexSkill(**told(entry)))


@call("get", "codex/skills/{slug}", open=True, serves=("codex_entry",))
def read_skill(ask: Ask, slug: str) -> CodexSkill:
    """One skill."""
    return CodexSkill(**told(entry_of("skills", slug)))


class CodexRule(schema.ModelRule, frozen=True, kw_only=True):
    slug: str
    heading: str
    pack: str
    rulings: tuple[int, ...]


@call("get", "codex/rules", open=True, serves=("codex_kind",))
def list_rules(ask: Ask, query: CodexList) -> Page[CodexRule]:
    """Model rules: what the words on a profile or a weapon mean."""
    return entries_of("rules", query, lambda entry: CodexRule(**told(entry)))


@call("get", "codex/rules/{slug}", open=True, serves=("codex_entry",))
def read_rule(ask: Ask, slug: str) -> CodexRule:
    """One model rule."""
    return CodexRule(**told(entry_of("rules", slug)))


class CodexSpell(schema.Spell, frozen=True, kw_only=True):
    slug: str
    heading: str
    pack: str
    rulings: tuple[int, ...]


@call("get", "codex/spells", open=True, serves=("codex_kind",))
def list_spells(ask: Ask, query: CodexList) -> Page[CodexSpell]:
    """Spells and prayers by path."""
    return entries_of("spells", query, lambda entry: CodexSpell(**told(entry)))


@call("get", "codex/spells/{slug}", open=True, serves=("codex_entry",))
def read_spell(ask: Ask, slug: str) -> CodexSpell:
    """One spell."""
    return CodexSpell(**told(entry_of("spells", slug)))
