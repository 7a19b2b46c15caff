/// A film of the service, and an element of the list.
public struct Film: Identifiable, Hashable, Sendable {
    /// The service's number of the film.
    public let id: Int
    let title: String
    let year: Int

    var decade: Int { year / 10 * 10 }
}
