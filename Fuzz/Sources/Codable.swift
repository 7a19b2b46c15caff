import WharfJSON

/// Compares the `Codable` decoder with the reader: both accept the same documents, report errors at
/// the same places and read the same values. A synthesised conformance survives a round trip.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzCodable(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    let bytes = JSONBytes(copying: input)
    let isValid = Grammar.accepts(Array(input))
    let tree = outcome(JSONValue.self, bytes)
    switch (decoded(Unread.self, bytes), tree) {
    case (.success, .success(let value)):
        check(isValid, "read, and no JSON")
        guard case .success(let plain) = decoded(Plain.self, bytes) else { fatalError("valid, and not decoded") }
        checkSame(plain, value)
    case (.failure(let error), .failure(let breach)):
        check(!isValid, "refused, and valid: \(error)")
        check(error.issues.count == 1 && error.code == breach.code, "\(error), \(breach)")
        check(error.location == breach.location, "\(error), \(breach)")
    case (let read, _): fatalError("\(read), \(tree)")
    }
    checkModel(Person.self, bytes, isValid)
    checkModel([String: Person].self, bytes, isValid)
    checkModel([[Int?]].self, bytes, isValid)
    return 0
}

/// Checks that every error has its place.
private func decoded<Value: Decodable>(
    _ type: Value.Type, _ bytes: JSONBytes, _ decoder: CodableJSONDecoder = .init()
) -> Result<Value, JSONError> {
    do {
        return .success(try decoder.decode(type, from: bytes))
    } catch let error as DecodingError {
        let context =
            switch error {
            case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
                .valueNotFound(_, let context):
                context
            @unknown default: fatalError("\(error)")
            }
        guard let place = context.underlyingError as? JSONError else { fatalError("no place: \(error)") }
        checkPlaces(place, length: bytes.count)
        return .failure(place)
    } catch {
        fatalError("another error: \(error)")
    }
}

private func checkModel<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: JSONBytes, _ isValid: Bool) {
    var snake = CodableJSONDecoder()
    snake.keyDecodingStrategy = .convertFromSnakeCase
    _ = decoded(type, bytes, snake)
    guard case .success(let value) = decoded(type, bytes) else { return }
    check(isValid, "\(type) is read from what is no JSON")
    guard let text = try? CodableJSONEncoder().encode(value) else { fatalError("\(type) can't be written") }
    guard case .success(let again) = decoded(type, JSONBytes(text)) else { fatalError("\(type): written, unreadable") }
    check(again == value, "\(type) is another after writing")
}

/// A type that reads nothing. The decoder still checks the document.
private struct Unread: Decodable {
    init(from decoder: any Decoder) throws {}
}

private struct Person: Codable, Equatable {
    var a: Int
    var label: String?
    var size: Double?
    var isNew: Bool?
    var list: [Int8]?
    var names: [Int: String]?
    var friends: [Person]?
}

/// Any JSON value, read through the containers of `Codable` alone.
private indirect enum Plain: Decodable {
    case null, bool(Bool), number(Double?), string(String), array([Plain]), object([(String, Plain)])

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            self = .object(try container.allKeys.map { ($0.stringValue, try container.decode(Plain.self, forKey: $0)) })
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [Plain] = []
            while !container.isAtEnd { elements.append(try container.decode(Plain.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else {
                // nil if the number is too large for a Double.
                self = .number(try? container.decode(Double.self))
            }
        }
    }
}

private func checkSame(_ plain: Plain, _ value: JSONValue) {
    switch (plain, value.content) {
    case (.null, .null): break
    case (.bool(let left), .bool(let right)): check(left == right, "another bool")
    case (.string(let left), .string(let right)): check(left.utf8.elementsEqual(right.utf8), "another text")
    case (.number(let left), .number(let right)):
        // Like Foundation, the decoder does not round a number other than zero to zero.
        check(left?.bitPattern == right.double?.bitPattern || (left == nil && right.double == 0), "\(right)")
    case (.array(let left), .array(let right)):
        check(left.count == right.count, "another count")
        for (left, right) in zip(left, right) { checkSame(left, right) }
    case (.object(let left), .object(let right)):
        for (key, child) in left {
            // A dictionary has one key for several canonically equal ones.
            guard let first = right.first(where: { $0.key == key }) else { fatalError("a key from nowhere") }
            checkSame(child, first.value)
        }
        check(Set(left.map(\.0)) == Set(right.map(\.key)), "other keys")
    default: fatalError("\(plain), \(value)")
    }
}
