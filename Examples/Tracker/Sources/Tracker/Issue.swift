import Foundation

/// An issue, as the service sends it and as the app works with it.
public struct Issue: Identifiable, Codable, Equatable, Sendable {
    public enum State: String, Codable, Sendable {
        case open, closed
    }

    /// A UUID that the client chooses, so that an issue has its id before the service knows it.
    public let id: String
    /// The number of the issue, which the service assigns.
    public var number: Int?
    public var title: String
    public var body: String
    public var state: State
    public var assignee: String?

    public init(title: String, body: String = "", assignee: String? = nil) {
        id = UUID().uuidString
        self.title = title
        self.body = body
        self.assignee = assignee
        state = .open
    }
}
