/// What stands below the options in `--help`.
enum HelpText {
    static let root = """
        EXAMPLES:
          wharf get https://api.example.com/users/1
          wharf get https://api.example.com/users/1 --policy cache-only --json
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
}
