public import WharfJSON
import WharfMacros

@JSONCodable struct Square: Hashable, Sendable, Codable { let length: Int }
/// Only `JSONCodable`, and not `Codable`.
@JSONCodable struct Circle: Hashable, Sendable { let radius: Double }
@JSONCodable struct Group: Hashable, Sendable, Codable { let shapes: [Shape] }

@Polymorphic(discriminator: "type", content: "attributes")
enum Shape: Hashable, Sendable {
    case square(Square)
    @JSONCase("circ") case circle(Circle)
    indirect case group(Group)
    case nowhere
    case unknown(UnknownElement)
}

@Polymorphic(discriminator: "kind")
public enum Event: Equatable, JSONPolymorphic {
    case opened(Opened)
    case closed
}

@JSONCodable public struct Opened: Equatable, Codable {
    public let by: String
    public var tags: [String] = []
}

@Polymorphic(discriminator: "t", content: "v")
enum Either<Left: Hashable, Right: Hashable>: Hashable {
    case left(Left)
    case right(Right)
}
