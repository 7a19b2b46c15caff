/// The texts below the options in `wharf outbox … --help`.
enum OutboxHelp {
    static let outbox = """
        An app with Wharf keeps its outgoing entries in its data file (data.sqlite in its Application Support; on \
        Linux in ~/.local/share) until they are delivered. ls and show change nothing; all commands work while the \
        app runs. An entry has a delivery for each of its destinations.

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
          1    nothing was done: no such entry or destination, no delivery to choose, or the answer to the question \
        was no
          3    drain: no attempt failed, but some entries need the app, wait for their time, or are dead
          7    drain: an attempt failed, and is made again later
          22   drain: a receiver refused a delivery
          64   the command line is wrong
          66   the file is missing, damaged, locked, not a data file, or of another version; or the disk is full
          70   wharf had an internal error
          74   the output could not be written, but the command was done. For ls and show, a reader that stops early \
        (| head) is not a failure
          130  interrupted by Ctrl-C (143 by SIGTERM, 129 by SIGHUP); requests in flight are sent again, with the \
        same key

        The commands never create or migrate the file: the app does that. Reading may leave an empty file-wal and a \
        file-shm beside it, as SQLite does.
        """

    static let list = """
        Standard output is the list. Standard error has one line with the counts, and one for each paused \
        destination. It also says when the outbox is empty.

        On a terminal the list is shown in a pager: the command in PAGER, or less -FRX if it is installed. \
        --no-pager, or a PAGER that is empty or cat, shows it without one, as does --json.

        The list is in the order in which entries were enqueued, account by account. For a page of it use --limit \
        100, then --after with the id of the last entry.

        STATES:
          pending   due now or later
          waiting   for an entry that it depends on, or for the condition of its destination
          paused    nothing is sent to its destination until it is resumed
          dead      set aside, for a person to decide

          'needs the app' marks a delivery that drain can't make: its kind is the app's own, its address is a path \
        below a base URL that the app knows, or other entries depend on it. Until an app registers its kind it is \
        parked, and blocks the entries after it in its lane.

        JSON, an object for each delivery:
          id, account (or null), lane, kind, version, enqueuedAt, destination, state, attempts, nextAttempt (or null), \
        needsApp, error: null or {code, message, status}. Times are like 2026-11-22T14:05:38Z.
        """

    static let show = """
        Only field values that are never secret are shown (Accept, Content-Type, …), and only the names of query \
        items; --secrets shows the others. Bodies are shown unchanged.

        JSON, one object:
          id, account, lane, kind, version, key, class, enqueuedAt, dependencies, paused: [{destination, since, \
        reason}], deliveries: the fields of ls for each, condition, and for a dead one diedAt, explanation, and \
        theirs if it is a conflict; base if it is known; request: {head: [line, …], body}, or payload (for an \
        unreadable request only with --secrets). Bytes are {json: …}, {text: …} or {base64: …}.
        """

    static let retry = """
        The app or drain attempts them again with the same key, and counts attempts from zero. With ids, \
        --destination chooses among an entry's deliveries. If one of the ids can't be retried, nothing is done.

        JSON, an object for each delivery: id, destination, kind, done.
        """

    static let discard = """
        With --all only dead letters are discarded; with ids also waiting deliveries. On a terminal the command asks \
        first; elsewhere it needs --yes. Entries that depend on a discarded one become dead letters. With ids, \
        --destination chooses among an entry's deliveries. If one of the ids can't be discarded, nothing is done.

        JSON, an object for each delivery: id, destination, kind, done.
        """

    static let drain = """
        Delivers requests with an address of their own (OutboxRequest with an http or https URL), in the order of \
        their lanes, each with its Idempotency-Key. It leaves entries that need the app, and entries that others \
        depend on, because only the app reads the ids in the answer. Don't drain the outbox of \
        an app that needs the answers. An entry that needs the app waits until drain ends, and so do the entries after \
        it in its lane. Nothing is added to a request, so a credential isn't added either: a 401 is left too. A \
        refused delivery (401, 409, 412, other 4xx) is left for the app to judge, at the earliest a minute later, and \
        does not count as one of the attempts after which the app gives up; with --set-aside it becomes a dead \
        letter, except for 401 and 407.

        Nothing is sent to a paused destination. Standard error names the paused destinations, the failures, and on a \
        terminal the progress. An app may deliver from the file at the same time: no delivery is sent by both.

        JSON, one object:
          delivered, failed (attempts that are repeated), refused, setAside, complete (false: not all due deliveries \
        were attempted); left in the file: pending, needApp (of these), dead, paused: [{account, destination, since, \
        reason}].
        """

    static let pause = """
        The pause is in the file: no process sends anything to the destination until it is resumed, by this command \
        or by the app. Entries keep their order, and new ones may be enqueued. A request in flight is not cancelled.

        A destination belongs to an account, or to entries without one. Without --account it is paused for each \
        account that has it. A paused destination keeps the time of its first pause, and gets the new reason.

        JSON, an object for each destination: account (or null), destination, done, since, reason (or null).
        """

    static let resume = """
        A running app sends the waiting entries about a second later. --all ends all pauses; with --account those \
        of that account.

        JSON, an object for each destination: account (or null), destination, done.
        """
}
