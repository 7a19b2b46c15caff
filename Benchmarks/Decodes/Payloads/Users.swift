struct Geo: Codable, Hashable, Sendable {
    var lat: String
    var lng: String
}

struct Address: Codable, Hashable, Sendable {
    var street: String
    var suite: String
    var city: String
    var zipcode: String
    var geo: Geo
}

struct Company: Codable, Hashable, Sendable {
    var name: String
    var catchPhrase: String
    var bs: String
}

struct User: Codable, Hashable, Sendable {
    var id: Int
    var name: String
    var username: String
    var email: String
    var address: Address
    var phone: String
    var website: String
    var company: Company
}
