public import Foundation

/// The parts of `swift package dump-package`'s output that this check reads.
public struct Manifest: Sendable, Decodable {
    public struct Target: Sendable, Decodable {
        public let name: String
        public let type: String
        public let path: String?
        public let dependencies: [Dependency]
    }

    public struct Product: Sendable, Decodable {
        public let name: String
        public let targets: [String]
    }

    public let targets: [Target]
    public let products: [Product]

    /// The targets for users: neither tests nor targets in the folder of tests.
    public var libraryTargets: [Target] {
        targets.filter { $0.type != "test" && $0.path?.hasPrefix("Tests/") != true }
    }

    public init(json: Data) throws {
        self = try JSONDecoder().decode(Manifest.self, from: json)
    }
}

extension Manifest.Target {
    /// The folder of its sources, relative to the package.
    public var folder: String { path ?? "Sources/\(name)" }

    /// A dependency of a target, by name: `{"byName": ["WharfCore", …]}`,
    /// `{"product": ["GRDB", "GRDB.swift", …]}`.
    public struct Dependency: Sendable, Decodable {
        public let name: String

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Kind.self)
            guard let kind = container.allKeys.first else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "expected a kind of dependency, found none")
                )
            }
            var values = try container.nestedUnkeyedContainer(forKey: kind)
            name = try values.decode(String.self)
        }

        private struct Kind: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }
}
