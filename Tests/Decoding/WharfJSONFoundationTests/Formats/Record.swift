import Foundation
import WharfJSON
import WharfJSONFoundation

/// A field for each of Foundation's types: plain, optional, distinguished from null, in arrays and
/// in dictionaries.
struct Record: Equatable {
    var date: Date, data: Data, url: URL, uuid: UUID, price: Decimal
    var seconds: Date, millis: Date
    var link: URL?
    var seen: Date??
    var since: Date?
    var until: Date??
    var days: [Date?], stamps: [Date], byID: [UUID: Data], prices: [String: Decimal]
}

extension Record: JSONCodable {
    static func decode(from json: inout JSONReader) -> Record? {
        guard var fields = json.beginObject() else { return nil }
        var date: Date?, data: Data?, url: URL?, uuid: UUID?, price: Decimal?, seconds: Date?, millis: Date?
        var link: URL??, seen: Date??, since: Date??, until: Date??
        var days: [Date?]?, stamps: [Date]?, byID: [UUID: Data]?, prices: [String: Decimal]?
        repeat {
            json.read("date", 0, into: &date, &fields)
            json.read("data", 1, into: &data, &fields)
            json.read("url", 2, into: &url, &fields)
            json.read("uuid", 3, into: &uuid, &fields)
            json.read("price", 4, into: &price, &fields)
            json.read("seconds", 5, as: SecondsSince1970.self, into: &seconds, &fields)
            json.read("millis", 6, as: MillisecondsSince1970.self, into: &millis, &fields)
            json.read("link", 7, into: &link, &fields)
            json.read("seen", 8, into: &seen, &fields)
            json.read("since", 9, as: SecondsSince1970?.self, into: &since, &fields)
            json.read("until", 10, as: MillisecondsSince1970?.self, into: &until, &fields)
            json.read("days", 11, into: &days, &fields)
            json.read("stamps", 12, as: [SecondsSince1970].self, into: &stamps, &fields)
            json.read("byID", 13, into: &byID, &fields)
            json.read("prices", 14, into: &prices, &fields)
        } while json.next(&fields)
        guard let date, let data, let url, let uuid, let price, let seconds, let millis, let days, let stamps, let byID,
            let prices
        else {
            return json.incomplete(
                fields,
                required: [
                    (0, "date"), (1, "data"), (2, "url"), (3, "uuid"), (4, "price"), (5, "seconds"), (6, "millis"),
                    (11, "days"), (12, "stamps"), (13, "byID"), (14, "prices"),
                ])
        }
        return Record(
            date: date, data: data, url: url, uuid: uuid, price: price, seconds: seconds, millis: millis,
            link: link ?? nil, seen: seen, since: since ?? nil, until: until, days: days, stamps: stamps, byID: byID,
            prices: prices)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("date", date)
        json.field("data", data)
        json.field("url", url)
        json.field("uuid", uuid)
        json.field("price", price)
        json.field("seconds", seconds, as: SecondsSince1970.self)
        json.field("millis", millis, as: MillisecondsSince1970.self)
        json.fieldIfPresent("link", link)
        json.fieldIfPresent("seen", seen)
        json.fieldIfPresent("since", since, as: SecondsSince1970.self)
        json.fieldIfPresent("until", until, as: MillisecondsSince1970?.self)
        json.field("days", days)
        json.field("stamps", stamps, as: [SecondsSince1970].self)
        json.field("byID", byID)
        json.field("prices", prices)
        json.endObject()
    }
}
