"""The database itself refuses another content for an edition that was published, and any way back to a draft."""

from django.db import migrations

CREATE = """
CREATE FUNCTION rules_edition_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state = 'draft' THEN
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        IF NEW.state = 'withdrawn' THEN
            RAISE EXCEPTION 'a draft is published before it is withdrawn' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'an edition that was published stays' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.content IS DISTINCT FROM OLD.content OR NEW.number <> OLD.number OR NEW.pack_id <> OLD.pack_id
        OR NEW.published IS DISTINCT FROM OLD.published THEN
        RAISE EXCEPTION 'an edition that was published stays as it is' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> OLD.state AND NOT (OLD.state = 'published' AND NEW.state = 'withdrawn') THEN
        RAISE EXCEPTION 'an edition that is % cannot become %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER edition_stays BEFORE UPDATE OR DELETE ON rules_packedition
    FOR EACH ROW EXECUTE FUNCTION rules_edition_stays();
"""
DROP = """
DROP TRIGGER edition_stays ON rules_packedition;
DROP FUNCTION rules_edition_stays();
"""


class Migration(migrations.Migration):
    dependencies = [("rules", "0002_game_packs")]
    operations = [migrations.RunSQL(CREATE, DROP)]
