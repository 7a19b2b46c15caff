/// Equal only if the classes are equal too.
class Vehicle: Codable, Equatable, CustomStringConvertible {
    let name: String
    var description: String { "vehicle \(name)" }

    init(name: String) { self.name = name }

    static func == (left: Vehicle, right: Vehicle) -> Bool { left.description == right.description }
}

final class Truck: Vehicle {
    private enum CodingKeys: CodingKey { case load }

    let load: Int
    override var description: String { "truck \(name) with \(load)" }

    init(name: String, load: Int) {
        self.load = load
        super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
        load = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .load)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(load, forKey: .load)
    }
}

/// A type that learns its elements' class at run time.
struct Convoy: Codable, Equatable {
    let vehicles: [Vehicle]

    init(vehicles: [Vehicle]) { self.vehicles = vehicles }

    init(from decoder: any Decoder) throws {
        let type: Vehicle.Type = Truck.self
        var container = try decoder.unkeyedContainer()
        var vehicles: [Vehicle] = []
        while !container.isAtEnd { vehicles.append(try container.decode(type)) }
        self.vehicles = vehicles
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for vehicle in vehicles { try container.encode(vehicle) }
    }
}
