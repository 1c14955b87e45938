PRAGMA application_id = 0x546f6c6c;
PRAGMA user_version = 1;

-- One row, so that nothing has to be counted.
CREATE TABLE totals (
    spent INTEGER NOT NULL,
    holdings INTEGER NOT NULL,
    bytes INTEGER NOT NULL
) STRICT;
INSERT INTO totals VALUES (0, 0, 0);

-- `expires` in nanoseconds since 1970.
CREATE TABLE spent (
    key BLOB PRIMARY KEY,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_by_end ON spent (expires);
CREATE TRIGGER spent_added AFTER INSERT ON spent BEGIN
    UPDATE totals SET spent = spent + 1;
END;
CREATE TRIGGER spent_forgotten AFTER DELETE ON spent BEGIN
    UPDATE totals SET spent = spent - 1;
END;

CREATE TABLE records (
    id BLOB NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE TRIGGER record_added AFTER INSERT ON records BEGIN
    UPDATE totals SET bytes = bytes + length(NEW.data);
END;
CREATE TRIGGER record_replaced AFTER UPDATE OF data ON records BEGIN
    UPDATE totals SET bytes = bytes - length(OLD.data) + length(NEW.data);
END;
CREATE TRIGGER record_deleted AFTER DELETE ON records BEGIN
    UPDATE totals SET bytes = bytes - length(OLD.data);
END;

-- Times in seconds. `expires` is the earlier of `ends` and `used + idle`.
CREATE TABLE holdings (
    id INTEGER PRIMARY KEY,
    principal BLOB NOT NULL,
    kind TEXT NOT NULL,
    name BLOB NOT NULL,
    record BLOB NOT NULL,
    is_owner INTEGER NOT NULL,
    rights INTEGER NOT NULL,
    used INTEGER NOT NULL,
    idle INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    UNIQUE (principal, kind, name)
) STRICT;
CREATE INDEX holdings_of ON holdings (principal, kind, expires);
CREATE INDEX holdings_by_end ON holdings (expires);
CREATE INDEX holdings_about ON holdings (record);
CREATE TRIGGER holding_added AFTER INSERT ON holdings BEGIN
    UPDATE totals SET holdings = holdings + 1;
END;
-- A record that nobody holds any more is of no use.
CREATE TRIGGER holding_ended AFTER DELETE ON holdings BEGIN
    UPDATE totals SET holdings = holdings - 1;
    DELETE FROM records
    WHERE id = OLD.record AND NOT EXISTS (SELECT 1 FROM holdings WHERE record = OLD.record);
END;
CREATE TRIGGER holding_replaced AFTER UPDATE OF record ON holdings BEGIN
    DELETE FROM records
    WHERE id = OLD.record AND NOT EXISTS (SELECT 1 FROM holdings WHERE record = OLD.record);
END;
