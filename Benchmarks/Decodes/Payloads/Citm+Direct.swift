internal import WharfJSON

// The expansion of @JSONCodable: the release benchmark is built without swift-syntax.

extension CitmCatalog: JSONCodable {
    static func decode(from json: inout JSONReader) -> CitmCatalog? {
        guard var fields = json.beginObject() else { return nil }
        var areaNames: [String: String]?
        var audienceSubCategoryNames: [String: String]?
        var blockNames: [String: String]?
        var events: [String: Event]?
        var performances: [Performance]?
        var seatCategoryNames: [String: String]?
        var subTopicNames: [String: String]?
        var subjectNames: [String: String]?
        var topicNames: [String: String]?
        var topicSubTopics: [String: [Int]]?
        var venueNames: [String: String]?
        repeat {
            json.read("areaNames", 0, into: &areaNames, &fields)
            json.read("audienceSubCategoryNames", 1, into: &audienceSubCategoryNames, &fields)
            json.read("blockNames", 2, into: &blockNames, &fields)
            json.read("events", 3, into: &events, &fields)
            json.read("performances", 4, into: &performances, &fields)
            json.read("seatCategoryNames", 5, into: &seatCategoryNames, &fields)
            json.read("subTopicNames", 6, into: &subTopicNames, &fields)
            json.read("subjectNames", 7, into: &subjectNames, &fields)
            json.read("topicNames", 8, into: &topicNames, &fields)
            json.read("topicSubTopics", 9, into: &topicSubTopics, &fields)
            json.read("venueNames", 10, into: &venueNames, &fields)
        } while json.next(&fields)
        guard let areaNames, let audienceSubCategoryNames, let blockNames, let events, let performances,
            let seatCategoryNames, let subTopicNames, let subjectNames, let topicNames, let topicSubTopics,
            let venueNames
        else {
            return json.incomplete(
                fields,
                required: [
                    (0, "areaNames"), (1, "audienceSubCategoryNames"), (2, "blockNames"), (3, "events"),
                    (4, "performances"), (5, "seatCategoryNames"), (6, "subTopicNames"), (7, "subjectNames"),
                    (8, "topicNames"), (9, "topicSubTopics"), (10, "venueNames"),
                ])
        }
        return CitmCatalog(
            areaNames: areaNames, audienceSubCategoryNames: audienceSubCategoryNames, blockNames: blockNames,
            events: events, performances: performances, seatCategoryNames: seatCategoryNames,
            subTopicNames: subTopicNames, subjectNames: subjectNames, topicNames: topicNames,
            topicSubTopics: topicSubTopics, venueNames: venueNames)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("areaNames", areaNames)
        json.field("audienceSubCategoryNames", audienceSubCategoryNames)
        json.field("blockNames", blockNames)
        json.field("events", events)
        json.field("performances", performances)
        json.field("seatCategoryNames", seatCategoryNames)
        json.field("subTopicNames", subTopicNames)
        json.field("subjectNames", subjectNames)
        json.field("topicNames", topicNames)
        json.field("topicSubTopics", topicSubTopics)
        json.field("venueNames", venueNames)
        json.endObject()
    }
}

extension Event: JSONCodable {
    static func decode(from json: inout JSONReader) -> Event? {
        guard var fields = json.beginObject() else { return nil }
        var description: String??
        var id: Int?
        var logo: String??
        var name: String?
        var subTopicIds: [Int]?
        var subjectCode: String??
        var subtitle: String??
        var topicIds: [Int]?
        repeat {
            json.read("description", 0, into: &description, &fields)
            json.read("id", 1, into: &id, &fields)
            json.read("logo", 2, into: &logo, &fields)
            json.read("name", 3, into: &name, &fields)
            json.read("subTopicIds", 4, into: &subTopicIds, &fields)
            json.read("subjectCode", 5, into: &subjectCode, &fields)
            json.read("subtitle", 6, into: &subtitle, &fields)
            json.read("topicIds", 7, into: &topicIds, &fields)
        } while json.next(&fields)
        guard let id, let name, let subTopicIds, let topicIds else {
            return json.incomplete(
                fields,
                required: [(1, "id"), (3, "name"), (4, "subTopicIds"), (7, "topicIds")])
        }
        return Event(
            description: description ?? nil, id: id, logo: logo ?? nil, name: name, subTopicIds: subTopicIds,
            subjectCode: subjectCode ?? nil, subtitle: subtitle ?? nil, topicIds: topicIds)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.fieldIfPresent("description", description)
        json.field("id", id)
        json.fieldIfPresent("logo", logo)
        json.field("name", name)
        json.field("subTopicIds", subTopicIds)
        json.fieldIfPresent("subjectCode", subjectCode)
        json.fieldIfPresent("subtitle", subtitle)
        json.field("topicIds", topicIds)
        json.endObject()
    }
}

extension Price: JSONCodable {
    static func decode(from json: inout JSONReader) -> Price? {
        guard var fields = json.beginObject() else { return nil }
        var amount: Int?
        var audienceSubCategoryId: Int?
        var seatCategoryId: Int?
        repeat {
            json.read("amount", 0, into: &amount, &fields)
            json.read("audienceSubCategoryId", 1, into: &audienceSubCategoryId, &fields)
            json.read("seatCategoryId", 2, into: &seatCategoryId, &fields)
        } while json.next(&fields)
        guard let amount, let audienceSubCategoryId, let seatCategoryId else {
            return json.incomplete(
                fields,
                required: [(0, "amount"), (1, "audienceSubCategoryId"), (2, "seatCategoryId")])
        }
        return Price(amount: amount, audienceSubCategoryId: audienceSubCategoryId, seatCategoryId: seatCategoryId)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("amount", amount)
        json.field("audienceSubCategoryId", audienceSubCategoryId)
        json.field("seatCategoryId", seatCategoryId)
        json.endObject()
    }
}

extension Area: JSONCodable {
    static func decode(from json: inout JSONReader) -> Area? {
        guard var fields = json.beginObject() else { return nil }
        var areaId: Int?
        var blockIds: [Int]?
        repeat {
            json.read("areaId", 0, into: &areaId, &fields)
            json.read("blockIds", 1, into: &blockIds, &fields)
        } while json.next(&fields)
        guard let areaId, let blockIds else {
            return json.incomplete(
                fields,
                required: [(0, "areaId"), (1, "blockIds")])
        }
        return Area(areaId: areaId, blockIds: blockIds)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("areaId", areaId)
        json.field("blockIds", blockIds)
        json.endObject()
    }
}

extension SeatCategory: JSONCodable {
    static func decode(from json: inout JSONReader) -> SeatCategory? {
        guard var fields = json.beginObject() else { return nil }
        var areas: [Area]?
        var seatCategoryId: Int?
        repeat {
            json.read("areas", 0, into: &areas, &fields)
            json.read("seatCategoryId", 1, into: &seatCategoryId, &fields)
        } while json.next(&fields)
        guard let areas, let seatCategoryId else {
            return json.incomplete(
                fields,
                required: [(0, "areas"), (1, "seatCategoryId")])
        }
        return SeatCategory(areas: areas, seatCategoryId: seatCategoryId)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("areas", areas)
        json.field("seatCategoryId", seatCategoryId)
        json.endObject()
    }
}

extension Performance: JSONCodable {
    static func decode(from json: inout JSONReader) -> Performance? {
        guard var fields = json.beginObject() else { return nil }
        var eventId: Int?
        var id: Int?
        var logo: String??
        var name: String??
        var prices: [Price]?
        var seatCategories: [SeatCategory]?
        var seatMapImage: String??
        var start: Int?
        var venueCode: String?
        repeat {
            json.read("eventId", 0, into: &eventId, &fields)
            json.read("id", 1, into: &id, &fields)
            json.read("logo", 2, into: &logo, &fields)
            json.read("name", 3, into: &name, &fields)
            json.read("prices", 4, into: &prices, &fields)
            json.read("seatCategories", 5, into: &seatCategories, &fields)
            json.read("seatMapImage", 6, into: &seatMapImage, &fields)
            json.read("start", 7, into: &start, &fields)
            json.read("venueCode", 8, into: &venueCode, &fields)
        } while json.next(&fields)
        guard let eventId, let id, let prices, let seatCategories, let start, let venueCode else {
            return json.incomplete(
                fields,
                required: [
                    (0, "eventId"), (1, "id"), (4, "prices"), (5, "seatCategories"), (7, "start"), (8, "venueCode"),
                ])
        }
        return Performance(
            eventId: eventId, id: id, logo: logo ?? nil, name: name ?? nil, prices: prices,
            seatCategories: seatCategories, seatMapImage: seatMapImage ?? nil, start: start, venueCode: venueCode)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("eventId", eventId)
        json.field("id", id)
        json.fieldIfPresent("logo", logo)
        json.fieldIfPresent("name", name)
        json.field("prices", prices)
        json.field("seatCategories", seatCategories)
        json.fieldIfPresent("seatMapImage", seatMapImage)
        json.field("start", start)
        json.field("venueCode", venueCode)
        json.endObject()
    }
}
