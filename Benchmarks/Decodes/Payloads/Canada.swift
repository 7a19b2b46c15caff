struct Canada: Codable, Hashable, Sendable {
    var type: String
    var features: [Feature]
}

struct Feature: Codable, Hashable, Sendable {
    var type: String
    var properties: FeatureProperties
    var geometry: Geometry
}

struct FeatureProperties: Codable, Hashable, Sendable {
    var name: String
}

struct Geometry: Codable, Hashable, Sendable {
    var type: String
    var coordinates: [[[Double]]]
}
