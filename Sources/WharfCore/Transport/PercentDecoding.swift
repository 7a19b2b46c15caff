/// Text of a URL as it was meant. What is no escape stays as it is.
package enum PercentDecoding {
    /// Of a query or a form, where `+` is a space.
    package static func form(_ text: Substring) -> String { decode(text, plusIsSpace: true) }
    package static func path(_ text: Substring) -> String { decode(text, plusIsSpace: false) }

    /// The items of a query or a form in their order. A name by itself has an empty value.
    package static func items(_ query: Substring) -> [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (form(parts[0]), parts.count > 1 ? form(parts[1]) : "")
        }
    }

    private static func decode(_ text: Substring, plusIsSpace: Bool) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else if plusIsSpace, byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
