/// The payload of the service.
struct UserPayload: Codable, Sendable {
    struct Address: Codable, Sendable {
        let city: String
    }

    let id: Int
    let name: String
    let address: Address

    init(_ user: User) {
        id = user.id
        name = user.name
        address = Address(city: user.city)
    }
}

/// The model of the app.
struct User: Identifiable, Sendable, Hashable {
    let id: Int
    let name: String
    var city: String

    init(_ payload: UserPayload) {
        id = payload.id
        name = payload.name
        city = payload.address.city
    }
}
