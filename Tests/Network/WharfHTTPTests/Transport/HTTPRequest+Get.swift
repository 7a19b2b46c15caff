import WharfCore

extension HTTPRequest {
    static func get(_ path: String) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: "origin.example", path: path)
    }
}
