"""The database itself refuses a way between states that there is not."""

from django.db import migrations

WAYS = {
    "proposed": ["scheduled", "void"],
    "scheduled": ["proposed", "pregame", "void"],
    "pregame": ["scheduled", "playing", "void"],
    "playing": ["reported", "void"],
    "reported": ["playing", "disputed", "confirmed", "void"],
    "disputed": ["reported", "confirmed", "void"],
    "confirmed": ["postgame", "void"],
    "postgame": ["closed", "void"],
    "closed": ["void"],
    "void": [],
}

PAIRS = ", ".join(f"('{start}', '{end}')" for start, ends in WAYS.items() for end in ends)

CREATE = f"""
CREATE FUNCTION campaigns_battle_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.state, NEW.state) NOT IN (VALUES {PAIRS}) THEN
        RAISE EXCEPTION 'a battle that is % cannot become %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER battle_moves BEFORE UPDATE OF state ON campaigns_battle
    FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION campaigns_battle_moves();
"""
DROP = """
DROP TRIGGER battle_moves ON campaigns_battle;
DROP FUNCTION campaigns_battle_moves();
"""


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0002_campaigns_and_battles")]
    operations = [migrations.RunSQL(CREATE, DROP)]
