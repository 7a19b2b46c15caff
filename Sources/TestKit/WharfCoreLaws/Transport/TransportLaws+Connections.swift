internal import WharfChecks
internal import WharfCore

extension TransportLaws {
    static let connections: [Law<Subject>] = [
        Law("an idempotent request is sent again when a kept connection closes") { subject in
            for method in [HTTPRequest.Method.get, .put, .delete] {
                try await subject.plays(closing) { stage in
                    _ = try await succeeds(stage, "the first request")
                    // The origin reads this request and closes. RFC 9110 §9.2.2 allows to repeat
                    // idempotent methods.
                    let sent = method == .put ? Array("kept".utf8) : []
                    let answer = try await succeeds(stage, "\(method) on a connection that closed") { request in
                        request.head.method = method
                        if method == .put { request.body = .bytes(sent) }
                    }
                    try require(answer.body == closing.body, "\(method) came with the body \(text(answer.body))")
                    let last = try require(await stage.received().last, "nothing came to the origin")
                    try require(last.method == method, "\(method) arrived as \(last.method)")
                    try require(last.body == sent, "\(method) arrived again with the body \(text(last.body))")
                }
            }
        },
        Law("a request that is not idempotent is sent once") { subject in
            for method in [HTTPRequest.Method.post, .patch] {
                try await subject.plays(closing) { stage in
                    _ = try await succeeds(stage, "the first request")
                    let result = await stage.exchange { request in
                        request.head.method = method
                        request.body = .bytes(Array("once".utf8))
                    }
                    let count = await stage.received().count { $0.method == method }
                    switch result {
                    // A new connection has sent it.
                    case .success: try require(count == 1, "the origin got \(count) of one \(method)")
                    case .failure(let error):
                        try require(error.code == .connectionLost, "\(method) threw \(error)")
                        try require(count < 2, "the origin got \(count) of one \(method)")
                    }
                }
            }
        },
        Law("an origin at an IPv6 address is reached") { subject in
            var scene = Scene()
            scene.isAtIPv6 = true
            try await subject.plays(scene) { stage in
                let authority = stage.request.head.authority ?? ""
                try require(authority.hasPrefix("["), "the stage's origin is at \(authority), not at [::1]")
                let answer = try await succeeds(stage, "a request to \(authority)")
                try require(answer.body == Scene().body, "it came with the body \(text(answer.body))")
                let received = try require(await stage.received().first, "nothing came to the origin")
                let host = HTTPField.Name("Host").flatMap { received.fields[$0] }
                try require(host == nil || host == authority, "Host arrived as \(host ?? "")")
            }
        },
    ]

    /// Each connection answers one request, and closes during the next.
    private static var closing: Scene {
        var scene = Scene()
        scene.requestsPerConnection = 1
        return scene
    }
}
