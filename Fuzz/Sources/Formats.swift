import Foundation
import WharfJSON
import WharfJSONFoundation

/// Reads Foundation's types in their forms: the input as a document, and as the text of a string.
///
/// Each value survives a round trip. It equals Foundation's value if Foundation accepts the text.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzFormats(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    checkAll(JSONBytes(copying: input))
    let text = String(decoding: input, as: UTF8.self)
    checkAll(JSONBytes(encoded(text)))
    if let data = value(Data.self, text) { check(data == Data(base64Encoded: text), "base64: \(text)") }
    if let uuid = value(UUID.self, text) { check(uuid == UUID(uuidString: text), "UUID: \(text)") }
    if let url = value(URL.self, text) { check(url.absoluteString == text, "URL: \(text)") }
    return 0
}

private func value<Value: JSONDecodable>(_ type: Value.Type, _ text: String) -> Value? {
    try? outcome(type, JSONBytes(encoded(text))).get()
}

private func checkAll(_ bytes: JSONBytes) {
    checkFormat(Data.self, bytes)
    checkFormat(UUID.self, bytes)
    checkFormat(URL.self, bytes)
    checkFormat(Decimal.self, bytes)
    checkFormat([UUID: Int].self, bytes)
    checkFormat(InForm<ISO8601>.self, bytes)
    checkFormat(InForm<SecondsSince1970>.self, bytes)
    checkFormat(InForm<MillisecondsSince1970>.self, bytes)
    checkDropIn(Data.self, bytes, ==)
    // Like Foundation, the encoder writes whole seconds.
    checkDropIn(Date.self, bytes) { abs($0.timeIntervalSince($1)) < 1 }
    checkDropIn(URL.self, bytes, ==)
    checkDropIn(Decimal.self, bytes, ==)
}

private func checkFormat<Value: JSONCodable & Equatable>(_ type: Value.Type, _ bytes: JSONBytes) {
    switch outcome(type, bytes) {
    case .failure(let error): checkPlaces(error, length: bytes.count)
    case .success(let value):
        let text = encoded(value)
        check(Grammar.accepts(text), "\(type) is written as \(String(decoding: text, as: UTF8.self))")
        guard case .success(let again) = outcome(type, JSONBytes(text)) else {
            fatalError("\(type): written, unreadable")
        }
        check(again == value, "\(type): \(value) is \(again) after writing")
    }
}

private func checkDropIn<Value: Codable>(
    _ type: Value.Type, _ bytes: JSONBytes, _ isSame: (Value, Value) -> Bool
) {
    var decoder = CodableJSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let value = try? decoder.decode(Value.self, from: bytes) else { return }
    var encoder = CodableJSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    guard let text: [UInt8] = try? encoder.encode(value), let again = try? decoder.decode(Value.self, from: text)
    else {
        fatalError("\(type): read and not written: \(value)")
    }
    check(isSame(again, value), "\(type): \(value) is \(again) after writing")
}

/// A date in one of its forms. It is compared to the nanosecond, the precision that is written.
private struct InForm<Format: JSONFormat>: JSONCodable, Equatable where Format.Value == Date {
    let date: Date

    static func decode(from json: inout JSONReader) -> Self? { Format.decode(from: &json).map(Self.init) }
    func encode(into json: inout JSONWriter) { Format.encode(date, into: &json) }

    static func == (left: Self, right: Self) -> Bool {
        abs(left.date.timeIntervalSince(right.date)) <= max(1e-9, abs(left.date.timeIntervalSince1970) * 1e-15)
    }
}
