internal import WharfJSON

// The expansion of @JSONCodable: the release benchmark is built without swift-syntax.

extension Canada: JSONCodable {
    static func decode(from json: inout JSONReader) -> Canada? {
        guard var fields = json.beginObject() else { return nil }
        var type: String?
        var features: [Feature]?
        repeat {
            json.read("type", 0, into: &type, &fields)
            json.read("features", 1, into: &features, &fields)
        } while json.next(&fields)
        guard let type, let features else {
            return json.incomplete(
                fields,
                required: [(0, "type"), (1, "features")])
        }
        return Canada(type: type, features: features)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("type", type)
        json.field("features", features)
        json.endObject()
    }
}

extension Feature: JSONCodable {
    static func decode(from json: inout JSONReader) -> Feature? {
        guard var fields = json.beginObject() else { return nil }
        var type: String?
        var properties: FeatureProperties?
        var geometry: Geometry?
        repeat {
            json.read("type", 0, into: &type, &fields)
            json.read("properties", 1, into: &properties, &fields)
            json.read("geometry", 2, into: &geometry, &fields)
        } while json.next(&fields)
        guard let type, let properties, let geometry else {
            return json.incomplete(
                fields,
                required: [(0, "type"), (1, "properties"), (2, "geometry")])
        }
        return Feature(type: type, properties: properties, geometry: geometry)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("type", type)
        json.field("properties", properties)
        json.field("geometry", geometry)
        json.endObject()
    }
}

extension FeatureProperties: JSONCodable {
    static func decode(from json: inout JSONReader) -> FeatureProperties? {
        guard var fields = json.beginObject() else { return nil }
        var name: String?
        repeat {
            json.read("name", 0, into: &name, &fields)
        } while json.next(&fields)
        guard let name else {
            return json.incomplete(
                fields,
                required: [(0, "name")])
        }
        return FeatureProperties(name: name)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name)
        json.endObject()
    }
}

extension Geometry: JSONCodable {
    static func decode(from json: inout JSONReader) -> Geometry? {
        guard var fields = json.beginObject() else { return nil }
        var type: String?
        var coordinates: [[[Double]]]?
        repeat {
            json.read("type", 0, into: &type, &fields)
            json.read("coordinates", 1, into: &coordinates, &fields)
        } while json.next(&fields)
        guard let type, let coordinates else {
            return json.incomplete(
                fields,
                required: [(0, "type"), (1, "coordinates")])
        }
        return Geometry(type: type, coordinates: coordinates)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("type", type)
        json.field("coordinates", coordinates)
        json.endObject()
    }
}
