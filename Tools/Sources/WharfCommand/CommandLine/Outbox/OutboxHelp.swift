/// The texts below the options in `wharf outbox … --help`.
enum OutboxHelp {
    static let outbox = """
        An app of Wharf keeps what it sends in its data file (data.sqlite in its Application Support; on Linux in \
        ~/.local/share), until it is delivered. ls and show change nothing; all may be used while the app runs. An entry is a \
        delivery for each destination that it goes to.

        EXAMPLES:
          wharf outbox ls --db data.sqlite
          wharf outbox ls --db data.sqlite --state dead --json | jq -r .id
          wharf outbox show 019ab9c1-7d60-7c3e-9f0e-5a3b1c2d4e5f --db data.sqlite
          wharf outbox retry --all --destination api --db data.sqlite
          wharf outbox discard 019ab9c1-7d60-7c3e-9f0e-5a3b1c2d4e5f --db data.sqlite
          wharf outbox drain --db data.sqlite
          wharf outbox pause --destination api --because 'the service moves' --db data.sqlite
          wharf outbox resume --destination api --db data.sqlite

        EXIT CODES:
          0    done; for drain: nothing is left
          1    nothing was done: no such entry or destination, nothing that could be chosen, or the answer to the question \
        was no
          3    drain: all went well, and something is left that needs the app, waits for its time, or is dead
          7    drain: an attempt failed, and is made again later
          22   drain: a receiver refused something
          64   the command line is wrong
          66   the file is not there, is no data file, is of another version, is damaged, or is locked; or the disk is full
          70   something inside wharf failed
          74   the output could not be written; what was to be done is done. A reader who has enough (| head) is no failure \
        of ls and show
          130  interrupted by Ctrl-C (143 by SIGTERM, 129 by SIGHUP); what was on its way is delivered again, under the same key

        The file is never made, nor brought up to date: the app does that. A look may leave an empty file-wal and a file-shm \
        beside it, as SQLite does.
        """

    static let list = """
        Standard output is the list. Standard error is one line that counts it, and one for each destination that is paused. An \
        outbox without entries says so there.

        On a terminal the list is shown in a pager: the command in PAGER, or less -FRX if it is installed. --no-pager, or a \
        PAGER that is empty or cat, shows it without one, as does --json.

        The list is in the order in which entries were enqueued, account by account. For a page of it say --limit 100, then \
        --after with the id of the last entry.

        STATES:
          pending   its time comes, or has come
          waiting   for an entry that it depends on, or for the condition of its target
          paused    nothing is sent to its destination until it is resumed
          dead      set aside, for a person to decide

          'needs the app' stands where drain can't deliver it: its kind is the app's own, its address is a path below a base \
        URL that the app knows, or others depend on it. While no app has registered its kind it is parked, and waits with all \
        behind it in its lane.

        JSON, an object for each delivery:
          id, account (or null), lane, kind, version, enqueuedAt, destination, state, attempts, nextAttempt (or null), \
        needsApp, error: null or {code, message, status}. Times are like 2026-11-22T14:05:38Z.
        """

    static let show = """
        Of the fields of a request only values that no server takes for a secret are shown (Accept, Content-Type, …), and of a \
        query only the names; --secrets shows the others. Bodies are shown as they are.

        JSON, one object:
          id, account, lane, kind, version, key, class, enqueuedAt, dependencies, paused: [{destination, since, reason}], \
        deliveries: what ls tells of each, condition, and of a dead one diedAt, explanation, and theirs where it is a conflict; base where it is \
        known; request: {head: [line, …], body}, or payload (that of a request that can't be read only with \
        --secrets). Bytes are {json: …}, {text: …} or {base64: …}.
        """

    static let retry = """
        They are attempted under the same key, with attempts counted from zero: by the app when it runs, or by drain. With ids, \
        --destination chooses among an entry's deliveries. Where one of the ids can't be retried nothing is done.

        JSON, an object for each delivery: id, destination, kind, done.
        """

    static let discard = """
        With --all dead letters alone; with ids also what waits. On a terminal it asks first; elsewhere it wants --yes. What \
        depends on an entry that is discarded becomes a dead letter. With ids, --destination chooses among an entry's deliveries. \
        Where one of the ids can't be discarded nothing is done.

        JSON, an object for each delivery: id, destination, kind, done.
        """

    static let drain = """
        Delivers requests that say where they go (OutboxRequest with an http or https URL), in the order of their lanes, each \
        with its Idempotency-Key; not what needs the app, nor what others depend on, because only the app reads the ids that \
        the answer gives. An app that learns from answers in other ways should not be drained from outside. What needs the app \
        waits for it until drain ends, and what is behind it in its lane with it. Nothing is added to a request, so no \
        credential either: a 401 is left too. What a receiver refuses (401, 409, 412, other 4xx) is left for the app \
        to judge, not before a minute has passed, and is none of the attempts after which the app gives up; with --set-aside \
        a dead letter is made of it, but for 401 and 407.

        Nothing is sent to a destination that is paused. Standard error tells which these are, what failed, and on a terminal \
        how far it is. An app may deliver from the file at the same time: \
        nothing is sent by both.

        JSON, one object:
          delivered, failed (attempts that are made again), refused, setAside, complete (false: not all was attempted that is due); \
        left in the file: pending, needApp (of these), dead, paused: [{account, destination, since, reason}].
        """

    static let pause = """
        The pause is in the file: no process sends anything to the destination until it is resumed, by this command or by the \
        app. Entries keep their order, and others may be enqueued. A request that is on its way is not cancelled.

        A destination belongs to an account, or to entries without one. Without --account it is paused for each of them that \
        knows it. One that is paused already keeps the time of its first pause, and gets the new reason.

        JSON, an object for each destination: account (or null), destination, done, since, reason (or null).
        """

    static let resume = """
        An app that runs sends what waits about a second later. With --all nothing is paused any more, with --account nothing \
        of that account.

        JSON, an object for each destination: account (or null), destination, done.
        """
}
