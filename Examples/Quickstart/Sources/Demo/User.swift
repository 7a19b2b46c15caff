/// What the service sends.
struct UserPayload: Decodable, Sendable {
    struct Address: Decodable, Sendable {
        let city: String
    }

    let id: Int
    let name: String
    let address: Address
}

/// What the app shows.
struct User: Identifiable, Sendable, Hashable {
    let id: Int
    let name: String
    let city: String

    init(_ payload: UserPayload) {
        id = payload.id
        name = payload.name
        city = payload.address.city
    }
}
