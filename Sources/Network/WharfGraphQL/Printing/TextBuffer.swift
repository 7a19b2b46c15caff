/// A buffer for printed tokens, with only the necessary blanks between them.
struct TextBuffer {
    private(set) var bytes: [UInt8] = []
    /// Whether a name, number or string is at the end. Another one, or `...`, needs a blank before
    /// it then.
    private var endsInWord = false

    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    func text() -> String { String(decoding: bytes, as: UTF8.self) }

    mutating func punctuator(_ byte: UInt8) {
        bytes.append(byte)
        endsInWord = false
    }

    mutating func spread() {
        if endsInWord { bytes.append(0x20) }
        raw("...")
        endsInWord = false
    }

    mutating func word(_ text: some Collection<UInt8>) {
        beginWord()
        bytes.append(contentsOf: text)
    }

    mutating func word(_ text: String) { word(text.utf8) }

    mutating func quoted(_ text: String) {
        beginWord()
        Quoting.append(text, to: &bytes)
    }

    mutating func block(_ text: String) {
        beginWord()
        BlockString.append(text, to: &bytes, isCompact: true)
    }

    private mutating func beginWord() {
        // Two words without a blank would be one token.
        if endsInWord { bytes.append(0x20) }
        endsInWord = true
    }

    /// Appends text without a check for a necessary blank.
    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
