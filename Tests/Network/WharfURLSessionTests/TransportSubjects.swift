import TransportStages
import WharfCore
import WharfCoreLaws
import WharfURLSession

extension TransportLaws.Subject {
    static let urlSession = overSockets("URLSessionTransport") { clock, body in
        try await body(URLSessionTransport(clock: clock))
    }.dropping()
}

extension HTTPRequest {
    static func get(_ path: String) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: "origin.example", path: path)
    }
}
