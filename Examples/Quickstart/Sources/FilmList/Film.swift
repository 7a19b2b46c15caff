/// What the service has and the list shows.
public struct Film: Identifiable, Hashable, Sendable {
    public let id: Int
    let title: String
    let year: Int

    var decade: Int { year / 10 * 10 }
}
