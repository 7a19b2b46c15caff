internal import WharfChecks
internal import WharfCore

extension TransportLaws {
    static let answers: [Law<Subject>] = [
        Law("every status is an answer") { subject in
            let statuses = [
                200, 201, 202, 204, 205, 299, 304, 400, 401, 403, 404, 407, 410, 418, 429, 500, 502, 503, 504,
            ]
            for status in statuses {
                var head = HTTPResponse(status: .init(code: status))
                // A transport that handles authentication itself would ask for a password here.
                if status == 401 { head.headerFields[.wwwAuthenticate] = "Basic realm=\"laws\"" }
                if status == 407 { head.headerFields[.proxyAuthenticate] = "Basic realm=\"laws\"" }
                let hasBody = ![204, 205, 304].contains(status)
                let scene = Scene(head, body: hasBody ? Array("why \(status)".utf8) : [])
                try await subject.plays(scene) { stage in
                    let answer = try await succeeds(stage, "status \(status)")
                    try require(answer.head.status.code == status, "\(status) came as \(answer.head.status.code)")
                    try require(answer.body == scene.body, "\(status) came with the body \(text(answer.body))")
                }
            }
        },
        Law("a redirect is an answer, with its Location and its body") { subject in
            for status in [300, 301, 302, 303, 307, 308] {
                // A transport that follows the second one finds no listener at port 1, and throws.
                for location in ["/elsewhere", "http://127.0.0.1:1/", nil] {
                    var head = HTTPResponse(status: .init(code: status))
                    head.headerFields[.location] = location
                    try await subject.plays(Scene(head, body: Array("moved".utf8))) { stage in
                        let answer = try await succeeds(stage, "redirect \(status)")
                        let found = answer.head.headerFields[.location]
                        try require(answer.head.status.code == status, "\(status) came as \(answer.head.status.code)")
                        try require(found == location, "\(status): Location came as \(found ?? "nothing")")
                        // Foundation loses the body of a redirect that can't be followed.
                        try require(
                            answer.body == Array("moved".utf8) || (location == nil && answer.body.isEmpty),
                            "\(status) with Location \(location ?? "absent") came with the body \(text(answer.body))")
                        let count = await stage.received().count
                        try require(count == 1, "\(count) requests came to the origin")
                    }
                }
            }
        },
        Law("a request arrives with its method, fields and body unchanged") { subject in
            let name = try require(HTTPField.Name("X-Law"), "no field name")
            for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
                let sent = method == .get ? [] : Array("body of \(method)".utf8)
                for streams in method == .get ? [false] : [false, true] {
                    try await subject.plays(Scene()) { stage in
                        _ = try await succeeds(stage, "\(method)") { request in
                            request.head.method = method
                            request.head.headerFields[name] = "kept"
                            guard method != .get else { return }
                            request.body = streams ? .stream({ BodyStream(sent) }, length: nil) : .bytes(sent)
                        }
                        let all = await stage.received()
                        let received = try require(all.first, "nothing came to the origin")
                        try require(received.method == method, "\(method) arrived as \(received.method)")
                        try require(received.fields[name] == "kept", "\(method): the field did not arrive")
                        try require(received.body == sent, "\(method): the body arrived as \(text(received.body))")
                    }
                }
            }
        },
        Law("concurrent requests do not get each other's answers") { subject in
            try await subject.plays(Scene()) { stage in
                let scenes = await withTaskGroup(of: Bool.self) { group in
                    for index in 0..<20 {
                        group.addTask {
                            let isHead = index.isMultiple(of: 2)
                            let answer = await stage.exchange { if isHead { $0.head.method = .head } }
                            guard case .success(let answer) = answer else { return false }
                            return answer.body.isEmpty == isHead
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                let wrong = scenes.count { !$0 }
                try require(wrong == 0, "\(wrong) of 20 got another's answer, or none")
            }
        },
    ]

    static func succeeds(
        _ stage: Stage, _ what: String, _ change: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> (head: HTTPResponse, body: [UInt8]) {
        switch await stage.exchange(change) {
        case .success(let answer): return answer
        case .failure(let error): throw FailedRequirement(found: "\(what) threw \(error)")
        }
    }

    static func text(_ bytes: [UInt8]) -> String {
        bytes.count > 100 ? "\(bytes.count) bytes" : "\"\(String(decoding: bytes, as: UTF8.self))\""
    }
}
