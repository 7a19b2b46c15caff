internal import WharfJSON

// The expansion of @JSONCodable: the release benchmark is built without swift-syntax.

extension Geo: JSONCodable {
    static func decode(from json: inout JSONReader) -> Geo? {
        guard var fields = json.beginObject() else { return nil }
        var lat: String?
        var lng: String?
        repeat {
            json.read("lat", 0, into: &lat, &fields)
            json.read("lng", 1, into: &lng, &fields)
        } while json.next(&fields)
        guard let lat, let lng else {
            return json.incomplete(
                fields,
                required: [(0, "lat"), (1, "lng")])
        }
        return Geo(lat: lat, lng: lng)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("lat", lat)
        json.field("lng", lng)
        json.endObject()
    }
}

extension Address: JSONCodable {
    static func decode(from json: inout JSONReader) -> Address? {
        guard var fields = json.beginObject() else { return nil }
        var street: String?
        var suite: String?
        var city: String?
        var zipcode: String?
        var geo: Geo?
        repeat {
            json.read("street", 0, into: &street, &fields)
            json.read("suite", 1, into: &suite, &fields)
            json.read("city", 2, into: &city, &fields)
            json.read("zipcode", 3, into: &zipcode, &fields)
            json.read("geo", 4, into: &geo, &fields)
        } while json.next(&fields)
        guard let street, let suite, let city, let zipcode, let geo else {
            return json.incomplete(
                fields,
                required: [(0, "street"), (1, "suite"), (2, "city"), (3, "zipcode"), (4, "geo")])
        }
        return Address(street: street, suite: suite, city: city, zipcode: zipcode, geo: geo)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("street", street)
        json.field("suite", suite)
        json.field("city", city)
        json.field("zipcode", zipcode)
        json.field("geo", geo)
        json.endObject()
    }
}

extension Company: JSONCodable {
    static func decode(from json: inout JSONReader) -> Company? {
        guard var fields = json.beginObject() else { return nil }
        var name: String?
        var catchPhrase: String?
        var bs: String?
        repeat {
            json.read("name", 0, into: &name, &fields)
            json.read("catchPhrase", 1, into: &catchPhrase, &fields)
            json.read("bs", 2, into: &bs, &fields)
        } while json.next(&fields)
        guard let name, let catchPhrase, let bs else {
            return json.incomplete(
                fields,
                required: [(0, "name"), (1, "catchPhrase"), (2, "bs")])
        }
        return Company(name: name, catchPhrase: catchPhrase, bs: bs)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name)
        json.field("catchPhrase", catchPhrase)
        json.field("bs", bs)
        json.endObject()
    }
}

extension User: JSONCodable {
    static func decode(from json: inout JSONReader) -> User? {
        guard var fields = json.beginObject() else { return nil }
        var id: Int?
        var name: String?
        var username: String?
        var email: String?
        var address: Address?
        var phone: String?
        var website: String?
        var company: Company?
        repeat {
            json.read("id", 0, into: &id, &fields)
            json.read("name", 1, into: &name, &fields)
            json.read("username", 2, into: &username, &fields)
            json.read("email", 3, into: &email, &fields)
            json.read("address", 4, into: &address, &fields)
            json.read("phone", 5, into: &phone, &fields)
            json.read("website", 6, into: &website, &fields)
            json.read("company", 7, into: &company, &fields)
        } while json.next(&fields)
        guard let id, let name, let username, let email, let address, let phone, let website, let company else {
            return json.incomplete(
                fields,
                required: [
                    (0, "id"), (1, "name"), (2, "username"), (3, "email"), (4, "address"), (5, "phone"), (6, "website"),
                    (7, "company"),
                ])
        }
        return User(
            id: id, name: name, username: username, email: email, address: address, phone: phone, website: website,
            company: company)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("name", name)
        json.field("username", username)
        json.field("email", email)
        json.field("address", address)
        json.field("phone", phone)
        json.field("website", website)
        json.field("company", company)
        json.endObject()
    }
}
