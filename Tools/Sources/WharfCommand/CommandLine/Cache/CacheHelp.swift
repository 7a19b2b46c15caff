/// The texts below the options in `wharf cache … --help`.
enum CacheHelp {
    static let cache = """
        A cache file keeps answers of the HTTP cache: that of wharf get, of wharf serve --cache, or of an app \
        (cache.sqlite in its caches folder). ls, show and stats change nothing; all commands work while another \
        process uses the file. None of them counts as a use, so the order in which answers are evicted stays.

        EXAMPLES:
          wharf cache ls
          wharf cache ls 'api.example.com/users/*' --stale --cache api.sqlite
          wharf cache show https://api.example.com/users/1
          wharf cache show https://api.example.com/users/1 --body | jq .
          wharf cache rm https://api.example.com/users/1
          wharf cache prune --older-than 30d --dry-run
          wharf cache stats --json
          wharf cache verify

        EXIT CODES:
          0    done
          1    show and rm: no such answer is kept; verify: damaged answers were found
          64   the command line is wrong
          66   the file is missing, damaged, locked, not a cache, or of another version; or the disk is full
          70   wharf had an internal error
          74   the output could not be written, but the command was done. For ls, show and stats, a reader that stops \
        early (| head) is not a failure
          130  interrupted by Ctrl-C (143 by SIGTERM, 129 by SIGHUP)

        The commands never create, migrate or replace the file. Copy or remove its folder file-bodies with it. \
        Reading may leave an empty file-wal and a file-shm \
        beside it, as SQLite does.
        """

    static let list = """
        On a terminal the list is a table, shown in a pager: the command in PAGER, or less -FRX if it is installed. \
        --no-pager, or a PAGER that is empty or cat, shows it without one. Elsewhere each answer is a line of fields \
        with tabs between them: id, status, bytes of the body, age in seconds, seconds until it is stale (0 or \
        below: since it is stale), account or -, URL. Standard error has one line with the counts.

        A URL is matched as a whole, also where its query is hidden.

        JSON, an object for each answer:
          id, url, method, account (or null), status, bytes (key, head and body), bodyBytes, storedAt, ageSeconds, \
        freshSeconds (0 or below: stale), fresh. Times are like 2026-11-22T14:05:38Z.
        """

    static let show = """
        A URL may have several answers: of several accounts, and for several values of the request fields that Vary \
        names. All are shown, or the one with the id. The values of secret fields (Authorization, Cookie, Set-Cookie, \
        and names with token, key, secret or session) and of queries are hidden without --reveal.

        --body needs exactly one answer, and writes its body as it is stored, perhaps compressed: Content-Encoding \
        says so on standard error. A body above 256 KiB lies in a file of its own, in the folder file-bodies, and is \
        verified piece by piece: a damaged one ends early, with the exit code 1.

        JSON, an object for each answer: the fields of ls, and
          fields and varying: [{name, value}], freshness: {apparentAgeSeconds, correctedAgeSeconds, \
        residentSeconds, currentAgeSeconds, lifetimeSeconds, basis, section}, use, useWhenUnreachable and \
        useAfterServerFailure: {decision, reason, section}. A decision is fresh, stale, stale-while-revalidating or \
        refused.
        """

    static let statistics = """
        The file does not say which limit its owner gives it, so the limit is not shown: 256 MB unless --max-bytes or \
        the app says otherwise.

        JSON, one object:
          entries, bytes, fresh, stale, accounts, hosts: [{host, entries, bytes}], the ten with most bytes.
        """

    static let remove = """
        --all and --account also erase the bytes: the file is rewritten, which fails while another process reads it. \
        The answers are removed even then. rm of a URL leaves its bytes in the file until other answers replace them.

        If one of the URLs or ids has no answer, the others are removed, and the exit code is 1.

        JSON, an object for each answer: id, url, account (or null), bytes. For --all and --account: removed, the \
        number of answers.
        """

    static let prune = """
        The file keeps its size, and its free room is used again. An answer that is used between the search and the \
        removal is removed all the same.

        JSON, an object for each answer: id, url, account (or null), bytes.
        """

    static let verify = """
        Each head and body is compared with its checksum. The store removes a damaged answer when it finds one, here \
        as in any app, so a second run finds none. Standard output has a line for each damaged answer, standard error \
        the counts.

        JSON, an object for each damaged answer: message.
        """
}
