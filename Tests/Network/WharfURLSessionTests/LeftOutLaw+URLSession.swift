import TransportStages

// Foundation's client on Linux breaks these. On Apple platforms all laws are checked.

extension LeftOutLaw {
    /// The laws that crash the process, which no test can expect.
    static var ofURLSession: [LeftOutLaw] {
        let ends = "Foundation's client on Linux ends the process: \"Transfer completed, but there's no response\""
        return onLinux([
            "a chunked answer with trailers is whole": ends,
            "a head that is cut is no answer": ends,
            "trailers are readable after the body, and are not in the head": ends,
        ])
    }

    /// The laws that are broken. The test fails as soon as one is kept.
    static var brokenByURLSession: [LeftOutLaw] {
        onLinux([
            "two lengths that differ are an invalid response": "Foundation takes the last length",
            "a body that is cut inside its content coding never looks complete": "libcurl lets a cut gzip pass",
            "an origin at an IPv6 address is reached": "Foundation gives libcurl no address with brackets",
            "fields beyond ASCII come as text": "Foundation takes fields of UTF-8 alone",
            "a status line needs no phrase": "Foundation wants a space behind the status",
        ])
    }

    private static func onLinux(_ reasons: [String: String]) -> [LeftOutLaw] {
        #if canImport(FoundationNetworking)
        return reasons.map { LeftOutLaw($0.key, because: $0.value) }
        #else
        return []
        #endif
    }
}
