import Testing
import WharfChecks

@Suite struct ObjectExpansionTests {
    @Test func structIsReadInALoopAndWrittenInOrder() {
        Expansion.check(
            """
            @JSONCodable(keys: .snakeCase)
            public struct User {
                let id: Int
                var fullName: String?
                var visits = 0
                @JSONField("seen", as: EpochSeconds.self) var seenAt: Instant??
                @JSONField(as: EpochSeconds.self) let madeAt: Instant?
                @JSONIgnored var isSelected = false
                let version = 2
                var isKnown: Bool { fullName != nil }
            }
            """,
            becomes: """
                public struct User {
                    let id: Int
                    var fullName: String?
                    var visits = 0
                    var seenAt: Instant??
                    let madeAt: Instant?
                    var isSelected = false
                    let version = 2
                    var isKnown: Bool { fullName != nil }
                }

                extension User: JSONDecodable {
                    public static func decode(from json: inout JSONReader) -> Self? {
                        Self(json: &json)
                    }

                    private init?(json: inout JSONReader) {
                        guard var fields = json.beginObject() else { return nil }
                        var id: Int?
                        var fullName: String??
                        var visits: Int?
                        var seenAt: Instant??
                        var madeAt: Instant??
                        repeat {
                            json.read("id", 0, into: &id, &fields)
                            json.read("full_name", 1, into: &fullName, &fields)
                            json.read("visits", 2, into: &visits, &fields)
                            json.read("seen", 3, as: EpochSeconds?.self, into: &seenAt, &fields)
                            json.read("made_at", 4, as: EpochSeconds?.self, into: &madeAt, &fields)
                        } while json.next(&fields)
                        guard let id else {
                            json.incomplete(fields, required: [(0, "id")])
                            return nil
                        }
                        self.id = id
                        self.fullName = fullName ?? nil
                        if let visits { self.visits = visits }
                        self.seenAt = seenAt
                        self.madeAt = madeAt ?? nil
                    }
                }

                extension User: JSONEncodable {
                    public func encode(into json: inout JSONWriter) {
                        json.beginObject()
                        json.field("id", id)
                        json.fieldIfPresent("full_name", fullName)
                        json.field("visits", visits)
                        json.fieldIfPresent("seen", seenAt, as: EpochSeconds?.self)
                        json.fieldIfPresent("made_at", madeAt, as: EpochSeconds.self)
                        json.endObject()
                    }
                }
                """)
    }

    @Test func nestedKeysShareOneLoop() {
        Expansion.check(
            """
            @JSONCodable struct Place {
                @JSONField("address", "city") let city: String
                @JSONField("address", "geo", "lat") let lat: Double?
            }
            """,
            becomes: """
                struct Place {
                    let city: String
                    let lat: Double?
                }

                extension Place: JSONDecodable {
                    static func decode(from json: inout JSONReader) -> Self? {
                        Self(json: &json)
                    }

                    private init?(json: inout JSONReader) {
                        guard var fields = json.beginObject() else { return nil }
                        var city: String?
                        var lat: Double??
                        repeat {
                            if json.key("address", 0, &fields) {
                                if var addressFields = json.beginObject() {
                                    repeat {
                                        json.read("city", 0, into: &city, &addressFields)
                                        if json.key("geo", 1, &addressFields) {
                                            if !json.null(), var addressGeoFields = json.beginObject() {
                                                repeat {
                                                    json.read("lat", 0, into: &lat, &addressGeoFields)
                                                } while json.next(&addressGeoFields)
                                            }
                                            json.endField(&addressFields)
                                        }
                                    } while json.next(&addressFields)
                                    if city == nil {
                                        json.incomplete(addressFields, required: [(0, "city")])
                                    }
                                }
                                json.endField(&fields)
                            }
                        } while json.next(&fields)
                        guard let city else {
                            json.incomplete(fields, required: [(0, "address")])
                            return nil
                        }
                        self.city = city
                        self.lat = lat ?? nil
                    }
                }

                extension Place: JSONEncodable {
                    func encode(into json: inout JSONWriter) {
                        json.beginObject()
                        json.key("address")
                        json.beginObject()
                        json.field("city", city)
                        if lat != nil {
                            json.key("geo")
                            json.beginObject()
                            json.fieldIfPresent("lat", lat)
                            json.endObject()
                            json.endField()
                        }
                        json.endObject()
                        json.endField()
                        json.endObject()
                    }
                }
                """)
    }

    @Test func aClassGetsItsInitialiserAsAMember() {
        Expansion.check(
            """
            @JSONCodable final class Box<Item> {
                let item: Item
            }
            """,
            becomes: """
                final class Box<Item> {
                    let item: Item

                    private init?(json: inout JSONReader) where Item: JSONDecodable {
                        guard var fields = json.beginObject() else { return nil }
                        var item: Item?
                        repeat {
                            json.read("item", 0, into: &item, &fields)
                        } while json.next(&fields)
                        guard let item else {
                            json.incomplete(fields, required: [(0, "item")])
                            return nil
                        }
                        self.item = item
                    }
                }

                extension Box: JSONDecodable where Item: JSONDecodable {
                    static func decode(from json: inout JSONReader) -> Self? {
                        Self(json: &json)
                    }
                }

                extension Box: JSONEncodable where Item: JSONEncodable {
                    func encode(into json: inout JSONWriter) {
                        json.beginObject()
                        json.field("item", item)
                        json.endObject()
                    }
                }
                """)
    }
}
