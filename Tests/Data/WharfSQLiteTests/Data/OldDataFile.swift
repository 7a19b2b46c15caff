/// A data file of version 2, before versions and feeds of entities, as SQL.
///
/// Wharf at e7c995d wrote the file through its public API. Each account has six notes with fields,
/// two drafts, and one removed note. There are three entries, three values, and one removed
/// account. A script dumped each object and row in order.
enum OldDataFile {
    static let sql = """
        CREATE TABLE scope (id INTEGER PRIMARY KEY, account TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (account, kind\
        ));
        CREATE TABLE name (id INTEGER PRIMARY KEY, scope INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (scope, name))\
        ;
        CREATE TABLE entity (id INTEGER PRIMARY KEY, scope INTEGER NOT NULL, key TEXT NOT NULL, schema INTEGER NOT N\
        ULL, as_of INTEGER NOT NULL, stale_at INTEGER, validator TEXT, bytes BLOB NOT NULL);
        CREATE TABLE field (name INTEGER NOT NULL, rank INTEGER NOT NULL, value NOT NULL, key TEXT NOT NULL, entit\
        y INTEGER NOT NULL, PRIMARY KEY (name, rank, value, key)) WITHOUT ROWID;
        CREATE TABLE value (key TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE change (seq INTEGER PRIMARY KEY, scope INTEGER, key TEXT);
        CREATE TABLE wipe (id INTEGER PRIMARY KEY);
        CREATE TABLE outbox_state (id INTEGER PRIMARY KEY, commits INTEGER NOT NULL, leases INTEGER NOT NULL);
        CREATE TABLE outbox_entry (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, open INTEGER NO\
        T NULL, unmet INTEGER NOT NULL, attempted INTEGER NOT NULL, plain INTEGER NOT NULL, depends INTEGER NOT NULL\
        , account TEXT NOT NULL, lane TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL, key TEXT, enqueue\
        d_at INTEGER NOT NULL, form BLOB NOT NULL, owed BLOB, base BLOB, payload BLOB NOT NULL);
        CREATE TABLE outbox_route (id INTEGER PRIMARY KEY, account TEXT NOT NULL, destination TEXT NOT NULL, kind TE\
        XT NOT NULL, pending INTEGER NOT NULL, bounded INTEGER NOT NULL, dropped_bounded INTEGER NOT NULL, dropped_e\
        xpired INTEGER NOT NULL, dropped_replaced INTEGER NOT NULL, UNIQUE (account, destination, kind));
        CREATE TABLE outbox_lane (id INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, destination TEX\
        T NOT NULL, pending INTEGER NOT NULL, bytes INTEGER NOT NULL, head INTEGER, route INTEGER, ready INTEGER, fr\
        esh INTEGER, tried INTEGER, head_at INTEGER, lease INTEGER, boot TEXT, until INTEGER, upto INTEGER, UNIQUE (\
        account, name, destination));
        CREATE TABLE outbox_delivery (lane INTEGER NOT NULL, seq INTEGER NOT NULL, route INTEGER NOT NULL, class INT\
        EGER NOT NULL, attempts INTEGER NOT NULL, first INTEGER, counted INTEGER, last INTEGER, next INTEGER NOT NUL\
        L, lease INTEGER, failure BLOB, PRIMARY KEY (lane, seq)) WITHOUT ROWID;
        CREATE TABLE outbox_dead (seq INTEGER NOT NULL, destination TEXT NOT NULL, route INTEGER NOT NULL, class INT\
        EGER NOT NULL, attempts INTEGER NOT NULL, first INTEGER, died_at INTEGER NOT NULL, failure BLOB NOT NULL, th\
        eirs BLOB, lease INTEGER, PRIMARY KEY (seq, destination)) WITHOUT ROWID;
        CREATE TABLE outbox_waiting (seq INTEGER NOT NULL, destination TEXT NOT NULL, route INTEGER NOT NULL, clas\
        s INTEGER NOT NULL, since INTEGER NOT NULL, at INTEGER, PRIMARY KEY (seq, destination)) WITHOUT ROWID;
        CREATE TABLE outbox_settled (seq INTEGER NOT NULL, destination TEXT NOT NULL, state INTEGER NOT NULL, leas\
        e INTEGER, PRIMARY KEY (seq, destination)) WITHOUT ROWID;
        CREATE TABLE outbox_dependency (id TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (id, seq)) WITHOUT ROWID\
        ;
        CREATE TABLE outbox_assigned (n INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, temporary TEXT NO\
        T NULL, given TEXT NOT NULL, entry TEXT NOT NULL, UNIQUE (account, temporary));
        CREATE TABLE outbox_discarded (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NO\
        T NULL);
        CREATE TABLE outbox_forgotten (account TEXT PRIMARY KEY, newest TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE outbox_pause (account TEXT PRIMARY KEY, failure BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE outbox_removed (account INTEGER PRIMARY KEY, lease INTEGER NOT NULL);
        CREATE UNIQUE INDEX entity_key ON entity (scope, key);
        CREATE UNIQUE INDEX field_entity ON field (entity, name);
        CREATE INDEX outbox_kind ON outbox_entry (kind, account, seq);
        CREATE INDEX outbox_due ON outbox_lane (route, fresh, ready, head) WHERE ready IS NOT NULL;
        CREATE INDEX outbox_fresh ON outbox_lane (route, head) WHERE fresh = 1 AND ready IS NOT NULL;
        CREATE INDEX outbox_tried ON outbox_lane (route, tried) WHERE tried IS NOT NULL;
        CREATE INDEX outbox_held ON outbox_lane (until) WHERE until IS NOT NULL;
        CREATE INDEX outbox_bounded ON outbox_delivery (route, seq) WHERE class = 1;
        CREATE INDEX outbox_timed ON outbox_waiting (at) WHERE at IS NOT NULL;
        CREATE INDEX outbox_since ON outbox_waiting (since) WHERE at IS NOT NULL;
        CREATE INDEX outbox_given ON outbox_assigned (entry);
        CREATE INDEX outbox_dependent ON outbox_dependency (seq);
        INSERT INTO scope VALUES (1, '', 'note');
        INSERT INTO scope VALUES (2, '', 'draft');
        INSERT INTO scope VALUES (3, '.ann', 'note');
        INSERT INTO scope VALUES (4, '.ann', 'draft');
        INSERT INTO scope VALUES (5, '.bob é', 'note');
        INSERT INTO scope VALUES (6, '.bob é', 'draft');
        INSERT INTO name VALUES (1, 1, 'n');
        INSERT INTO name VALUES (2, 1, 'title');
        INSERT INTO name VALUES (3, 1, 'score');
        INSERT INTO name VALUES (4, 3, 'n');
        INSERT INTO name VALUES (5, 3, 'title');
        INSERT INTO name VALUES (6, 3, 'score');
        INSERT INTO name VALUES (7, 5, 'title');
        INSERT INTO name VALUES (8, 5, 'score');
        INSERT INTO name VALUES (9, 5, 'n');
        INSERT INTO entity VALUES (1, 1, '0', 0, 1, NULL, NULL, x'6e6f74652030');
        INSERT INTO entity VALUES (2, 2, '0', 0, 1, NULL, NULL, x'6e6f74652030');
        INSERT INTO entity VALUES (3, 1, '1', 1, 2, NULL, NULL, x'6e6f74652031');
        INSERT INTO entity VALUES (4, 2, '1', 1, 2, NULL, NULL, x'6e6f74652031');
        INSERT INTO entity VALUES (5, 1, '2', 2, 3, NULL, NULL, x'6e6f74652032');
        INSERT INTO entity VALUES (6, 1, '3', 3, 4, 99, NULL, x'6e6f74652033');
        INSERT INTO entity VALUES (7, 1, '4', 4, 5, NULL, '"v4"', x'6e6f74652034');
        INSERT INTO entity VALUES (8, 3, '0', 0, 1, NULL, NULL, x'6e6f74652030');
        INSERT INTO entity VALUES (9, 4, '0', 0, 1, NULL, NULL, x'6e6f74652030');
        INSERT INTO entity VALUES (10, 3, '1', 1, 2, NULL, NULL, x'6e6f74652031');
        INSERT INTO entity VALUES (11, 4, '1', 1, 2, NULL, NULL, x'6e6f74652031');
        INSERT INTO entity VALUES (12, 3, '2', 2, 3, NULL, NULL, x'6e6f74652032');
        INSERT INTO entity VALUES (13, 3, '3', 3, 4, 99, NULL, x'6e6f74652033');
        INSERT INTO entity VALUES (14, 3, '4', 4, 5, NULL, '"v4"', x'6e6f74652034');
        INSERT INTO entity VALUES (15, 5, '0', 0, 1, NULL, NULL, x'6e6f74652030');
        INSERT INTO entity VALUES (16, 6, '0', 0, 1, NULL, NULL, x'6e6f74652030');
        INSERT INTO entity VALUES (17, 5, '1', 1, 2, NULL, NULL, x'6e6f74652031');
        INSERT INTO entity VALUES (18, 6, '1', 1, 2, NULL, NULL, x'6e6f74652031');
        INSERT INTO entity VALUES (19, 5, '2', 2, 3, NULL, NULL, x'6e6f74652032');
        INSERT INTO entity VALUES (20, 5, '3', 3, 4, 99, NULL, x'6e6f74652033');
        INSERT INTO entity VALUES (21, 5, '4', 4, 5, NULL, '"v4"', x'6e6f74652034');
        INSERT INTO field VALUES (1, 1, 0, '0', 1);
        INSERT INTO field VALUES (2, 2, 'title 0', '0', 1);
        INSERT INTO field VALUES (3, 1, 0, '0', 1);
        INSERT INTO field VALUES (1, 1, 1, '1', 3);
        INSERT INTO field VALUES (2, 2, 'title 1', '1', 3);
        INSERT INTO field VALUES (3, 0, x'', '1', 3);
        INSERT INTO field VALUES (1, 1, 2, '2', 5);
        INSERT INTO field VALUES (2, 2, 'title 2', '2', 5);
        INSERT INTO field VALUES (3, 1, 0.5, '2', 5);
        INSERT INTO field VALUES (1, 1, 3, '3', 6);
        INSERT INTO field VALUES (2, 2, 'title 3', '3', 6);
        INSERT INTO field VALUES (3, 0, x'', '3', 6);
        INSERT INTO field VALUES (1, 1, 4, '4', 7);
        INSERT INTO field VALUES (2, 2, 'title 4', '4', 7);
        INSERT INTO field VALUES (3, 1, 1, '4', 7);
        INSERT INTO field VALUES (4, 1, 0, '0', 8);
        INSERT INTO field VALUES (5, 2, 'title 0', '0', 8);
        INSERT INTO field VALUES (6, 1, 0, '0', 8);
        INSERT INTO field VALUES (4, 1, 1, '1', 10);
        INSERT INTO field VALUES (5, 2, 'title 1', '1', 10);
        INSERT INTO field VALUES (6, 0, x'', '1', 10);
        INSERT INTO field VALUES (4, 1, 2, '2', 12);
        INSERT INTO field VALUES (5, 2, 'title 2', '2', 12);
        INSERT INTO field VALUES (6, 1, 0.5, '2', 12);
        INSERT INTO field VALUES (4, 1, 3, '3', 13);
        INSERT INTO field VALUES (5, 2, 'title 3', '3', 13);
        INSERT INTO field VALUES (6, 0, x'', '3', 13);
        INSERT INTO field VALUES (4, 1, 4, '4', 14);
        INSERT INTO field VALUES (5, 2, 'title 4', '4', 14);
        INSERT INTO field VALUES (6, 1, 1, '4', 14);
        INSERT INTO field VALUES (7, 2, 'title 0', '0', 15);
        INSERT INTO field VALUES (8, 1, 0, '0', 15);
        INSERT INTO field VALUES (9, 1, 0, '0', 15);
        INSERT INTO field VALUES (7, 2, 'title 1', '1', 17);
        INSERT INTO field VALUES (8, 0, x'', '1', 17);
        INSERT INTO field VALUES (9, 1, 1, '1', 17);
        INSERT INTO field VALUES (7, 2, 'title 2', '2', 19);
        INSERT INTO field VALUES (8, 1, 0.5, '2', 19);
        INSERT INTO field VALUES (9, 1, 2, '2', 19);
        INSERT INTO field VALUES (7, 2, 'title 3', '3', 20);
        INSERT INTO field VALUES (8, 0, x'', '3', 20);
        INSERT INTO field VALUES (9, 1, 3, '3', 20);
        INSERT INTO field VALUES (7, 2, 'title 4', '4', 21);
        INSERT INTO field VALUES (8, 1, 1, '4', 21);
        INSERT INTO field VALUES (9, 1, 4, '4', 21);
        INSERT INTO value VALUES ('key-0', x'00');
        INSERT INTO value VALUES ('key-1', x'01');
        INSERT INTO value VALUES ('key-2', x'02');
        INSERT INTO change VALUES (1, 1, '0');
        INSERT INTO change VALUES (2, 2, '0');
        INSERT INTO change VALUES (3, 1, '1');
        INSERT INTO change VALUES (4, 2, '1');
        INSERT INTO change VALUES (5, 1, '2');
        INSERT INTO change VALUES (6, 1, '3');
        INSERT INTO change VALUES (7, 1, '4');
        INSERT INTO change VALUES (8, 1, '5');
        INSERT INTO change VALUES (9, 1, '5');
        INSERT INTO change VALUES (10, 3, '0');
        INSERT INTO change VALUES (11, 4, '0');
        INSERT INTO change VALUES (12, 3, '1');
        INSERT INTO change VALUES (13, 4, '1');
        INSERT INTO change VALUES (14, 3, '2');
        INSERT INTO change VALUES (15, 3, '3');
        INSERT INTO change VALUES (16, 3, '4');
        INSERT INTO change VALUES (17, 3, '5');
        INSERT INTO change VALUES (18, 3, '5');
        INSERT INTO change VALUES (19, 5, '0');
        INSERT INTO change VALUES (20, 6, '0');
        INSERT INTO change VALUES (21, 5, '1');
        INSERT INTO change VALUES (22, 6, '1');
        INSERT INTO change VALUES (23, 5, '2');
        INSERT INTO change VALUES (24, 5, '3');
        INSERT INTO change VALUES (25, 5, '4');
        INSERT INTO change VALUES (26, 5, '5');
        INSERT INTO change VALUES (27, 5, '5');
        INSERT INTO change VALUES (29, NULL, NULL);
        INSERT INTO outbox_entry VALUES (1, 'entry-none-0', 1, 0, 0, 1, 0, '', 'note/0', 'note.edit', 1, NULL, 5, x'\
        010001036170690000', NULL, NULL, x'7061796c6f61642030');
        INSERT INTO outbox_entry VALUES (2, 'entry-none-1', 1, 0, 0, 1, 0, '', 'note/1', 'note.edit', 1, NULL, 5, x'\
        010001036170690000', NULL, NULL, x'7061796c6f61642031');
        INSERT INTO outbox_entry VALUES (3, 'entry-none-2', 1, 0, 0, 1, 0, '', 'note/2', 'note.edit', 1, NULL, 5, x'\
        010001036170690000', NULL, NULL, x'7061796c6f61642032');
        INSERT INTO outbox_entry VALUES (4, 'entry-ann-0', 1, 0, 0, 1, 0, '.ann', 'note/0', 'note.edit', 1, NULL, 5\
        , x'010001036170690000', NULL, NULL, x'7061796c6f61642030');
        INSERT INTO outbox_entry VALUES (5, 'entry-ann-1', 1, 0, 0, 1, 0, '.ann', 'note/1', 'note.edit', 1, NULL, 5\
        , x'010001036170690000', NULL, NULL, x'7061796c6f61642031');
        INSERT INTO outbox_entry VALUES (6, 'entry-ann-2', 1, 0, 0, 1, 0, '.ann', 'note/2', 'note.edit', 1, NULL, 5\
        , x'010001036170690000', NULL, NULL, x'7061796c6f61642032');
        INSERT INTO outbox_entry VALUES (7, 'entry-bob é-0', 1, 0, 0, 1, 0, '.bob é', 'note/0', 'note.edit', 1, NULL\
        , 5, x'010001036170690000', NULL, NULL, x'7061796c6f61642030');
        INSERT INTO outbox_entry VALUES (8, 'entry-bob é-1', 1, 0, 0, 1, 0, '.bob é', 'note/1', 'note.edit', 1, NULL\
        , 5, x'010001036170690000', NULL, NULL, x'7061796c6f61642031');
        INSERT INTO outbox_entry VALUES (9, 'entry-bob é-2', 1, 0, 0, 1, 0, '.bob é', 'note/2', 'note.edit', 1, NULL\
        , 5, x'010001036170690000', NULL, NULL, x'7061796c6f61642032');
        INSERT INTO outbox_route VALUES (1, '', 'api', 'note.edit', 3, 0, 0, 0, 0);
        INSERT INTO outbox_route VALUES (2, '.ann', 'api', 'note.edit', 3, 0, 0, 0, 0);
        INSERT INTO outbox_route VALUES (3, '.bob é', 'api', 'note.edit', 3, 0, 0, 0, 0);
        INSERT INTO outbox_lane VALUES (1, '', 'note/0', 'api', 1, 9, 1, 1, 5, 1, NULL, 5, NULL, NULL, NULL, NULL);
        INSERT INTO outbox_lane VALUES (2, '', 'note/1', 'api', 1, 9, 2, 1, 5, 1, NULL, 5, NULL, NULL, NULL, NULL);
        INSERT INTO outbox_lane VALUES (3, '', 'note/2', 'api', 1, 9, 3, 1, 5, 1, NULL, 5, NULL, NULL, NULL, NULL);
        INSERT INTO outbox_lane VALUES (4, '.ann', 'note/0', 'api', 1, 9, 4, 2, 5, 1, NULL, 5, NULL, NULL, NULL, NUL\
        L);
        INSERT INTO outbox_lane VALUES (5, '.ann', 'note/1', 'api', 1, 9, 5, 2, 5, 1, NULL, 5, NULL, NULL, NULL, NUL\
        L);
        INSERT INTO outbox_lane VALUES (6, '.ann', 'note/2', 'api', 1, 9, 6, 2, 5, 1, NULL, 5, NULL, NULL, NULL, NUL\
        L);
        INSERT INTO outbox_lane VALUES (7, '.bob é', 'note/0', 'api', 1, 9, 7, 3, 5, 1, NULL, 5, NULL, NULL, NULL, N\
        ULL);
        INSERT INTO outbox_lane VALUES (8, '.bob é', 'note/1', 'api', 1, 9, 8, 3, 5, 1, NULL, 5, NULL, NULL, NULL, N\
        ULL);
        INSERT INTO outbox_lane VALUES (9, '.bob é', 'note/2', 'api', 1, 9, 9, 3, 5, 1, NULL, 5, NULL, NULL, NULL, N\
        ULL);
        INSERT INTO outbox_delivery VALUES (1, 1, 1, 0, 0, NULL, NULL, NULL, 5, NULL, NULL);
        INSERT INTO outbox_delivery VALUES (2, 2, 1, 0, 0, NULL, NULL, NULL, 5, NULL, NULL);
        INSERT INTO outbox_delivery VALUES (3, 3, 1, 0, 0, NULL, NULL, NULL, 5, NULL, NULL);
        INSERT INTO outbox_delivery VALUES (4, 4, 2, 0, 0, NULL, NULL, NULL, 5, NULL, NULL);
        INSERT INTO outbox_delivery VALUES (5, 5, 2, 0, 0, NULL, NULL, NULL, 5, NULL, NULL);
        INSERT INTO outbox_delivery VALUES (6, 6, 2, 0, 0, NULL, NULL, NULL, 5, NULL, NULL);
        INSERT INTO outbox_delivery VALUES (7, 7, 3, 0, 0, NULL, NULL, NULL, 5, NULL, NULL);
        INSERT INTO outbox_delivery VALUES (8, 8, 3, 0, 0, NULL, NULL, NULL, 5, NULL, NULL);
        INSERT INTO outbox_delivery VALUES (9, 9, 3, 0, 0, NULL, NULL, NULL, 5, NULL, NULL);
        UPDATE sqlite_sequence SET seq = 9 WHERE name = 'outbox_entry';
        PRAGMA application_id = 1466462820;
        PRAGMA user_version = 2;
        """
}
