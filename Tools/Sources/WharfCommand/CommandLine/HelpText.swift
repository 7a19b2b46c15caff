/// The texts below the options in `--help`.
enum HelpText {
    static let root = """
        EXAMPLES:
          wharf get https://api.example.com/users/1
          wharf get https://api.example.com/users/1 --policy cache-only --json
          wharf serve --origin https://api.example.com --fault 3g
          wharf outbox ls --db data.sqlite
          wharf generate feed.json --name Feed
          wharf check --sources Sources/Models --type Feed feed.json
          wharf graphql check film.graphql
          wharf get --help
        """

    static let get = """
        Standard output is the body alone. Standard error is one line: status, source, age, fresh or stale and why, and \
        the error of a failed refresh.

        EXAMPLES:
          wharf get https://api.example.com/users/1
          wharf get https://api.example.com/users/1 --policy network-first --explain
          wharf get https://api.example.com/feed --policy cache-then-network --json | jq .ageSeconds
          wharf get https://api.example.com/me -H 'Authorization: Bearer …' --account anna
          wharf get https://api.example.com/notes -d @note.json -H 'Content-Type: application/json'
          wharf get https://example.com/disk.img -o disk.img

        POLICIES:
          standard            what is kept and fresh; otherwise the network, on failure what is kept
          cache-first         what is kept, also when stale; otherwise the network
          cache-then-network  both answers with --json; without it the same as network-first
          cache-only          what is kept; never the network
          network-first       the network, on failure what is kept
          network-only        the network alone; the body is written as it comes

          A failure is a broken or missing connection, a time-out, a body over --max-size, and the statuses 500, 502, \
        503, 504. Any other error status is an answer, also when something older is kept. Where something is kept, a body \
        of up to a megabyte is read whole before any of it is written, so that one that breaks off does not show.

        EXIT CODES:
          0    a value was delivered, also a kept one
          3    with --strict: that value is stale
          7    no whole answer came (no connection, time-out, cut off, over --max-size, cache-only with nothing kept), \
        and nothing kept could stand in
          22   the server answered an error status (400 and above); its body goes to standard output, but neither \
        into the file of -o nor into the JSON object
          64   the command line is wrong
          70   something inside wharf failed
          74   the output could not be written: no permission, a full disk
          130  interrupted by Ctrl-C (143 by SIGTERM, 129 by SIGHUP); a file of -o is as it was before
        """

    static let generate = """
        Standard output is a Swift file of Codable types, which depends on Foundation alone, and on that only where a field is a \
        date, a URL, a UUID or a decimal. What the types decode and encode again equals the samples; nil is written as absent where a field was null in one place and absent in another.

        EXAMPLES:
          wharf generate feed.json --name Feed
          wharf generate https://api.example.com/users/1 https://api.example.com/users/2 --name User -o Sources/Models
          curl -s https://api.example.com/feed | wharf generate --name Feed --access public
          wharf generate feed.json --name Feed --direct
          wharf generate users.json --name Users --repository --tests -o Sources/App/

        WHAT DECIDES:
          optional      absent or null in one of the samples
          numbers       Int, UInt64, Double, or Decimal where digits would be lost
          strings       Date for ISO 8601 in UTC (2026-01-31T12:00:00Z, with or without milliseconds), UUID, URL, and an enum for \
        a small set that repeats itself
          dictionaries  objects whose keys are data: numbers, UUIDs, dates, many names of things alike
          enums         objects of which a tag such as "type" decides which other keys they have
          one type      for objects with the same fields, and for objects that hold their like

        EXIT CODES:
          0    the types were written
          1    a sample is no JSON: file:line:column and the reason on standard error; or --direct can't read what it has
          3    a sample could not be read
          64   the command line is wrong
          74   the output could not be written
        """

    static let serve = """
        The client is given the address that standard output names in place of the origin's. Standard error names the faults \
        and the seed, and on a terminal each request. What happens follows from faults, seed, and the order of the requests. \
        http and https origins are served over plain http; WebSockets are not.

        EXAMPLES:
          wharf serve --origin https://api.example.com --fault 3g
          wharf serve --origin https://api.example.com --fault offline,after=30s
          wharf serve --origin http://localhost:3000 --fault 'status=503,p=20%' --fault 'reset@512,p=5%' --seed 42
          wharf serve --origin http://localhost:3000 --listen 127.0.0.1:0 --fault 'edge;down,after=10s,until=20s'

        FAULTS:
          offline, very-bad, dial-up, edge, 3g, dsl, lte
                                 a preset: Apple's Network Link Conditioner's, dial-up is WebPageTest's
          latency=200ms±50ms     later by that much; +- may stand for ±
          bandwidth=780kbps      no faster
          loss=10%               packets that are lost and sent again later; with 100% nothing comes through
          loss=1%/30%            in bursts: the chance that one begins, and that it ends
          refused                nobody listens
          down                   nobody listens, and what is under way is cut
          reset@512, reset@2s    the connection is reset after so many bytes, or so long after it began
          truncate@512           the answer ends after so many bytes
          slowclose=2s           the end comes late
          slice=16±4/10ms        small pieces, with pauses
          corrupt=0.1%           that share of the bytes is wrong
          status=503             in place of the answer, without asking the origin; with to=client after asking it
          garbage=64             so many random bytes in place of the body

          Behind a comma: to=server or to=client (the usual) for the direction, p=30% for that share of the requests, first=3, \
        from=2, after=5s, until=20s. A semicolon goes between faults. Bytes count what goes over the wire, heads included.

        EXIT CODES:
          64   the command line is wrong, or the port can't be used
          70   something inside wharf failed
          74   the output could not be written
          130  ended by Ctrl-C (143 by SIGTERM, 129 by SIGHUP)
        """
}
