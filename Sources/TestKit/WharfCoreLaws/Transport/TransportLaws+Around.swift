internal import Synchronization
internal import WharfChecks
internal import WharfCore

extension TransportLaws {
    /// The laws about messages around the answer: interim responses before it, trailers after it.
    static let around: [Law<Subject>] = [
        Law("interim responses are passed on in order, before the head") { subject in
            var scene = Scene()
            scene.interim = [hint("/first.css"), HTTPResponse(status: .init(code: 102)), hint("/second.js")]
            try await subject.plays(scene) { [scene] stage in
                let heads = Mutex<[HTTPResponse]>([])
                let response = try await stage.send { request in
                    request.onInterim = { head in heads.withLock { $0.append(head) } }
                }
                let early = heads.withLock { $0.map(described) }
                let expected = subject.deliversInterim ? scene.interim.map(described) : []
                try require(early == expected, "expected \(expected) before the head, found \(early)")
                try require(response.head.status == .ok, "the answer came as \(response.head.status)")
                let link = response.head.headerFields[linkName]
                try require(link == nil, "the head has the field Link of an interim response")
                let body = try await response.body.collect()
                try require(body == scene.body, "it came with the body \(text(body))")
                let late = heads.withLock { $0.count } - early.count
                try require(late == 0, "\(late) interim responses came after the head")
            }
        },
        Law("trailers are readable after the body, and are not in the head") { subject in
            for trailers in [[marker: "last", timingName: "db;dur=53"], [:]] as [HTTPFields] {
                var scene = Scene()
                scene.trailers = trailers
                try await subject.plays(scene) { [scene] stage in
                    let response = try await stage.send()
                    try require(response.body.trailers == nil, "there are trailers before the body was read")
                    let body = try await response.body.collect()
                    try require(body == scene.body, "a body with trailers came as \(text(body))")
                    let found = response.body.trailers
                    if subject.deliversTrailers {
                        try require(found == trailers, "expected the trailers \(trailers), found \(describe(found))")
                    } else {
                        try require(found == nil, "the transport has no trailers, and \(describe(found)) came")
                    }
                    for name in [marker, timingName] {
                        let isThere = response.head.headerFields.contains(name)
                        try require(!isThere, "the trailer \(name.rawName) is in the head")
                    }
                }
            }
        },
    ]

    private static let linkName = HTTPField.Name("Link") ?? .location
    private static let timingName = HTTPField.Name("Server-Timing") ?? .via

    private static func hint(_ path: String) -> HTTPResponse {
        HTTPResponse(status: .init(code: 103), headerFields: [linkName: "<\(path)>; rel=preload"])
    }

    private static func described(_ head: HTTPResponse) -> String {
        "\(head.status.code) \(head.headerFields[linkName] ?? "")"
    }

    private static func describe(_ fields: HTTPFields?) -> String { fields.map { "\($0)" } ?? "nil" }
}
