#if TestServer
import Synchronization
public import WharfCore

extension TestServer {
    /// Forwards requests without a route to another origin.
    ///
    /// Each connection is closed after its answer. So each request has a connection of its own, and
    /// a ``FaultProxy`` in front of this server decides for each request.
    ///
    /// - Method, path, query, fields and body are forwarded unchanged, except for the fields that
    ///   concern the connection (RFC 9110 §7.6.1).
    /// - The answer's body is read as fast as the client takes it, and cut if it breaks off.
    /// - A `Location` at the origin is made relative, so that the client stays at this server.
    /// - If no answer comes, the client gets 502 or 504 with the reason.
    /// - The log keeps no bodies of forwarded requests.
    ///
    /// - Parameters:
    ///   - scheme: `http` or `https`.
    ///   - authority: the host and port, which become the request's `Host`.
    ///   - transport: sends the requests to the origin. If it follows no redirects, the client gets
    ///     them.
    ///   - onFailure: receives the error if an answer did not come or broke off.
    public func forward(
        to scheme: String, _ authority: String, by transport: any Transport,
        onFailure: @escaping @Sendable (TransportError) -> Void = { _ in }
    ) {
        route(nil, "/*") { [log] request in
            // Such a server may run for hours.
            log.forgetBody(of: request.number)
            return await Self.forwarded(request, scheme, authority, transport, onFailure).closing()
        }
    }

    private static func forwarded(
        _ request: TestRequest, _ scheme: String, _ authority: String, _ transport: any Transport,
        _ onFailure: @escaping @Sendable (TransportError) -> Void
    ) async -> TestResponse {
        let head = HTTPRequest(
            method: request.method, scheme: scheme, authority: authority, path: request.target,
            headerFields: request.fields.forwarded(dropping: [.contentLength, .init("Host")]))
        let sent = TransportRequest(head, body: request.body.isEmpty ? .none : .bytes(request.body))
        do throws(TransportError) {
            let answer = try await transport.send(sent)
            var fields = answer.head.headerFields.forwarded(dropping: [])
            // A redirect to the origin has to come back through this server, so it loses scheme and
            // host.
            if let location = fields[.location], location.hasPrefix("\(scheme)://\(authority)/") {
                fields[.location] = String(location.dropFirst("\(scheme)://\(authority)".count))
            }
            guard answer.head.hasBody(for: request.method) else {
                return TestResponse(answer.head.status, fields: fields)
            }
            let body = answer.body
            return TestResponse(answer.head.status, fields: fields) { () throws(TransportError) in
                do throws(TransportError) {
                    var chunks = body.makeAsyncIterator()
                    return try await chunks.next(isolation: nil)
                } catch {
                    onFailure(error)
                    throw error
                }
            }
        } catch {
            onFailure(error)
            let status: HTTPResponse.Status = error.code == .timedOut ? .gatewayTimeout : .badGateway
            return .text("no answer from \(scheme)://\(authority): \(error)\n", status: status)
        }
    }
}

extension HTTPFields {
    /// The fields except those that concern one connection, or that its `Connection` field names.
    fileprivate func forwarded(dropping more: [HTTPField.Name?]) -> HTTPFields {
        var fields = self
        // RFC 9110 §7.6.1: a proxy removes `Connection`, and each field that it names.
        let named = (fields[.connection] ?? "").split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        let hopByHop = ["Keep-Alive", "TE", "Trailer", "Upgrade", "Proxy-Authorization", "Proxy-Connection"]
        for name in (named + hopByHop).map({ HTTPField.Name(String($0)) }) + [.connection, .transferEncoding] + more {
            if let name { fields[name] = nil }
        }
        return fields
    }
}
#endif
