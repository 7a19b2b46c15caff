public import WharfChecks
public import WharfCore

/// The laws of ``KeyValueStore``, in memory, on disk, or over a store of the app.
///
/// ```swift
/// @Test(arguments: KeyValueStoreLaws.all)
/// func mineKeeps(law: Law<KeyValueStoreLaws.Subject>) async throws {
///     try await law.check(.init("MyStore") { MyStore() })
/// }
/// ```
public enum KeyValueStoreLaws {
    /// A kind of store, as a closure that makes one.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable () async throws -> any KeyValueStore
        let reopen: (@Sendable (any KeyValueStore) async throws -> any KeyValueStore)?

        /// Creates a kind of store.
        ///
        /// - Parameters:
        ///   - name: the name in the message of a violation.
        ///   - reopen: closes a store and opens the same data again; nil for a store that is not
        ///     durable.
        ///   - make: makes an empty store. It is called at least once per law.
        public init(
            _ name: String = "the store",
            reopen: (@Sendable (any KeyValueStore) async throws -> any KeyValueStore)? = nil,
            _ make: @escaping @Sendable () async throws -> any KeyValueStore
        ) {
            description = name
            self.reopen = reopen
            self.make = make
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = values + names + writers
}

// MARK: What the laws are written in

extension KeyValueStoreLaws {
    /// Different names that a careless store or a file system confuses or refuses.
    static let differentNames: [String] =
        [
            "", " ", ".", "..", "/", "a/b", "a\\b", "../a", "\0", "a\0", "a\0b", "%", "%00", "a%2Fb", "' OR 1=1 --",
            "a", "A", "ab", "aB", "i", "I", "\u{130}", "\u{131}", "stra\u{DF}e", "strasse", "k", "\u{212A}",
            // Canonically equivalent, with different bytes.
            "\u{E9}", "e\u{301}", "e", "\u{C5}", "\u{212B}", "A\u{30A}",
            // The encoded forms of other names: in hexadecimal, or as file names.
            "61", "00", "nul", "CON", "a.", "a ", ".a", "a.tmp",
            "\n", "\r", "\r\n", "\u{7F}", "\u{FEFF}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
            "\u{1F600}", "\u{1F1E9}\u{1F1EA}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
        ] + [63, 64, 65, 100, 127, 128, 200, 255, 256, 300, 5_000].map { String(repeating: "x", count: $0) }
        + ["y", "Y"].map { String(repeating: "x", count: 300) + $0 }
        + ["y", "Y"].map { String(repeating: "x", count: 5_000) + $0 }
        + [String(repeating: "X", count: 300), String(repeating: "\u{E9}/", count: 1_000)]

    static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

    static func isSame(_ a: [String], _ b: [String]) -> Bool { a.elementsEqual(b) { $0.utf8.elementsEqual($1.utf8) } }

    /// Returns a text for messages, exact even if names look alike.
    static func brief(_ name: String) -> String {
        let start = name.unicodeScalars.prefix(24).map { $0.escaped(asASCII: true) }.joined()
        return name.utf8.count <= 100 ? "\"\(start)\"" : "\"\(start)…\" of \(name.utf8.count) bytes"
    }

    static func brief(_ value: [UInt8]?) -> String {
        value.map { "\($0.count) bytes \($0.prefix(8))" } ?? "nothing"
    }

    /// Returns a value that shows whether it is complete: its byte decides its length.
    static func whole(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 1 + Int(byte) * 131 % 40_009) }

    static func isWhole(_ value: [UInt8]?) -> Bool { value?.first.map { whole($0) == value } ?? false }
}
