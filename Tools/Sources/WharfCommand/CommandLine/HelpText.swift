/// The texts below the options in `--help`.
enum HelpText {
    static let root = """
        EXAMPLES:
          wharf get https://api.example.com/users/1
          wharf get https://api.example.com/users/1 --policy cache-only --json
          wharf serve --origin https://api.example.com --cache api.sqlite
          wharf cache ls 'api.example.com/*'
          wharf outbox ls --db data.sqlite
          wharf generate feed.json --name Feed
          wharf check --sources Sources/Models --type Feed feed.json
          wharf graphql check film.graphql
          wharf get --help
        """

    static let get = """
        Standard output is the body alone. Standard error is one line: status, source, age, fresh or stale and why, \
        and the error of a failed refresh.

        EXAMPLES:
          wharf get https://api.example.com/users/1
          wharf get https://api.example.com/users/1 --policy network-first --explain
          wharf get https://api.example.com/feed --policy cache-then-network --json | jq .ageSeconds
          wharf get https://api.example.com/me -H 'Authorization: Bearer …' --account anna
          wharf get https://api.example.com/notes -d @note.json -H 'Content-Type: application/json'
          wharf get https://example.com/disk.img -o disk.img

        POLICIES:
          standard            a fresh cached answer; otherwise the network, on failure a cached answer
          cache-first         a cached answer, even a stale one; otherwise the network
          cache-then-network  both answers with --json; without it the same as network-first
          cache-only          a cached answer; never the network
          network-first       the network, on failure a cached answer
          network-only        the network alone; the body is written as it arrives

          A failure is a broken or missing connection, a time-out, a body over --max-size, and the statuses 500, 502, \
        503, 504. Any other error status is an answer, even if an older answer is cached. If an answer is cached, a \
        body of up to a megabyte is read whole before it is written, so that a truncated body is not shown.

        EXIT CODES:
          0    a value was delivered, perhaps from the cache
          3    with --strict: that value is stale
          7    no complete answer (no connection, time-out, truncated, over --max-size, cache-only without a cached \
        answer), and no cached answer to use
          22   the server answered an error status (400 and above); its body goes to standard output, but neither \
        into the file of -o nor into the JSON object
          64   the command line is wrong
          70   wharf had an internal error
          74   the output could not be written: no permission, a full disk
          130  interrupted by Ctrl-C (143 by SIGTERM, 129 by SIGHUP); a file of -o is unchanged
        """

    static let generate = """
        Standard output is a Swift file of Codable types. It imports only Foundation, and only if a field is a date, \
        a URL, a UUID or a decimal. Decoding and encoding a sample gives an equal document; nil is written as absent \
        if a field was null in one place and absent in another.

        EXAMPLES:
          wharf generate feed.json --name Feed
          wharf generate https://api.example.com/users/1 https://api.example.com/users/2 --name User -o Sources/Models
          curl -s https://api.example.com/feed | wharf generate --name Feed --access public
          wharf generate feed.json --name Feed --direct
          wharf generate users.json --name Users --repository --tests -o Sources/App/

        INFERENCE:
          optional      absent or null in one of the samples
          numbers       Int, UInt64, Double, or Decimal if digits would be lost
          strings       Date for ISO 8601 in UTC (2026-01-31T12:00:00Z, with or without milliseconds), UUID, URL, and \
        an enum for a small set of repeated values
          dictionaries  objects whose keys are data: numbers, UUIDs, dates, many names of similar things
          enums         objects whose other keys depend on a tag such as "type"
          one type      for objects with the same fields, and for recursive objects

        EXIT CODES:
          0    the types were written
          1    a sample is not JSON: file:line:column and the reason on standard error; or --direct can't read its \
        content
          3    a sample could not be read
          64   the command line is wrong
          74   the output could not be written
        """

    static let serve = """
        Give the client the address on standard output in place of the origin's. On a terminal standard error has a \
        line for each request. http and https origins are served over plain http, or over https and HTTP/2 with \
        --certificate and --key. SIGHUP makes it read these two files again, for new connections; a file that can't be \
        used leaves the old certificate in place. WebSockets are passed through.

        It is a gateway with an HTTP cache (RFC 9111). Each answer has a field Cache-Status, which says \
        whether it was kept, and why. Without a kept answer, an unreachable origin is answered with 502, and one that \
        is silent for a minute with 504. Requests must name the address of the gateway as their host; with \
        --listen 0.0.0.0:8080 they may name any.

        A shared cache keeps answers without their Set-Cookie, because a session cookie of one user would sign in the \
        others. With --store-set-cookie it keeps the field (RFC 9111 §7.3): use it only if no cookie of the origin is \
        personal.

        Faults are between the cache and the origin: the client sees what the cache makes of a bad network. With \
        --no-cache there is no cache, and the client has the bad network itself, with real resets and closed ports. \
        Then WebSockets are not passed through, and https is not served. The outcome depends only on faults, seed, and \
        the order of the requests. WebSockets have no faults.

        --record writes the answers of the origin into a file of JSON, which can be read and edited: below cache and \
        faults, with secrets replaced, and without content codings. The file is written anew after each answer, and \
        all answers stay in memory. --replay answers from it without a network, each request by its method, URL and \
        body; the last recorded answer is repeated, and another request gets 502. Ages are counted from the recorded \
        Date, so the answers of an old recording are stale.

        --admin serves a page with switches for offline and faults, the live requests and the kept answers, and \
        /metrics for Prometheus. Each program that reaches its address may use it: choose a loopback address.

        EXAMPLES:
          wharf serve --origin https://api.example.com
          wharf serve --origin https://api.example.com --cache api.sqlite --max-bytes 1G --stale-if-error 86400
          wharf serve --origin https://api.example.com --private --cache api.sqlite --offline
          wharf serve --origin https://api.example.com --admin 127.0.0.1:9090
          wharf serve --origin https://api.example.com --certificate chain.pem --key key.pem --listen 0.0.0.0:8443
          wharf serve --origin https://api.example.com --fault offline,after=30s --stale-if-error always
          wharf serve --origin https://api.example.com --fault 3g --no-cache
          wharf serve --origin https://api.example.com --record api.json
          wharf serve --origin https://api.example.com --replay api.json
          wharf serve --origin http://localhost:3000 --fault 'status=503,p=20%' --fault 'reset@512,p=5%' --seed 42
          wharf serve --origin http://localhost:3000 --listen 127.0.0.1:0 --fault 'edge;down,after=10s,until=20s'

        FAULTS:
          offline, very-bad, dial-up, edge, 3g, dsl, lte
                                 a preset of Apple's Network Link Conditioner; dial-up is from WebPageTest
          latency=200ms±50ms     a delay; +- is accepted for ±
          bandwidth=780kbps      the maximum rate
          loss=10%               packets that are lost and sent again later; with 100% nothing arrives
          loss=1%/30%            in bursts: the probability that a burst begins, and that it ends
          refused                new connections are refused
          down                   new connections are refused, and open ones are cut
          reset@512, reset@2s    the connection is reset after this many bytes, or this long after its start
          truncate@512           the answer ends after this many bytes
          slowclose=2s           the end is delayed
          slice=16±4/10ms        small pieces, with pauses
          corrupt=0.1%           this share of the bytes is corrupted
          status=503             in place of the answer, without asking the origin; with to=client after asking it
          garbage=64             this many random bytes in place of the body

          After a comma: to=server or to=client (the default) for the direction, p=30% for this share of the \
        requests, first=3, from=2, after=5s, until=20s. A semicolon separates faults. Bytes are those of the body; with \
        --no-cache they are counted on the wire, heads included.

        EXIT CODES:
          64   the command line is wrong, or the port can't be used
          70   wharf had an internal error
          74   the output could not be written
          130  ended by Ctrl-C (143 by SIGTERM, 129 by SIGHUP, which reloads a --certificate while the terminal is open)
        """
}
