import Wharf

/// The app's own model, independent of the service that the users come from.
struct DomainUser: Identifiable, Sendable, Hashable {
    let id: Int
    let name: String
    let email: String
    let street: String
    let city: String
    let postcode: String
}

/// A user as jsonplaceholder.typicode.com sends it.
struct PlaceholderUser: Decodable, Sendable {
    struct Address: Decodable, Sendable {
        let street: String
        let suite: String
        let city: String
        let zipcode: String
    }

    let id: Int
    let name: String
    let email: String
    let address: Address
}

extension DomainUser {
    init(_ user: PlaceholderUser) {
        self.init(
            id: user.id, name: user.name, email: user.email, street: "\(user.address.street), \(user.address.suite)",
            city: user.address.city, postcode: user.address.zipcode
        )
    }
}

/// Users as randomuser.me sends them: in an envelope, without ids of their own. The postcode is a
/// number in some countries and text in others.
struct RandomUsers: Decodable, Sendable {
    struct Result: Decodable, Sendable {
        struct Name: Decodable, Sendable {
            let first: String
            let last: String
        }

        struct Location: Decodable, Sendable {
            struct Street: Decodable, Sendable {
                let number: Int
                let name: String
            }

            let street: Street
            let city: String
            let postcode: Postcode
        }

        let name: Name
        let location: Location
        let email: String
    }

    let results: [Result]
}

struct Postcode: Decodable, Sendable, Hashable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            text = String(try container.decode(Int.self))
        } catch DecodingError.typeMismatch {
            text = try container.decode(String.self)
        }
    }
}

extension DomainUser {
    init(id: Int, _ user: RandomUsers.Result) {
        let location = user.location
        self.init(
            id: id, name: "\(user.name.first) \(user.name.last)", email: user.email,
            street: "\(location.street.number) \(location.street.name)", city: location.city,
            postcode: location.postcode.text
        )
    }
}

/// The two services. To swap them, the app changes the one line that makes the repository.
enum UserService {
    static func placeholder(_ stack: WharfStack) -> any ReadableRepository<DomainUser> {
        stack.repository(at: "users", payload: PlaceholderUser.self) { DomainUser($0) }
    }

    static func random(_ stack: WharfStack) -> any ReadableRepository<DomainUser> {
        stack.repository(
            .http(
                stack.client,
                get: { id in
                    Request<RandomUsers>.get("api/", query: ["seed": "\(id)"]).map { users in
                        guard let user = users.results.first else { throw NoSuchUser() }
                        return DomainUser(id: id, user)
                    }
                },
                list: { _ in
                    Request<RandomUsers>.get("api/", query: ["results": "2"]).map { users in
                        users.results.enumerated().map { DomainUser(id: $0.offset + 1, $0.element) }
                    }
                }
            )
        )
    }

    struct NoSuchUser: Error {}
}
