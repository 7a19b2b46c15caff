/// Generated documents, with the same bytes each time.
enum Documents {
    /// Returns an array of shapes of five kinds in the article's format.
    static func shapes(_ count: Int, tagFirst: Bool) -> String {
        var random = Congruential(seed: 42)
        return "["
            + (0..<count).map { index in
                let (kind, attributes) = shape(index, &random)
                return tagFirst
                    ? #"{"type":"\#(kind)","attributes":\#(attributes)}"#
                    : #"{"attributes":\#(attributes),"type":"\#(kind)"}"#
            }.joined(separator: ",") + "]"
    }

    private static func shape(_ index: Int, _ random: inout Congruential) -> (kind: String, attributes: String) {
        switch random.below(5) {
        case 0: ("square", #"{"length":\#(random.below(1000))}"#)
        case 1: ("rectangle", #"{"width":\#(random.below(1000)),"height":\#(random.below(1000))}"#)
        case 2:
            (
                "circle",
                #"{"radius":\#(random.below(1000)).\#(1 + random.below(99)),"#
                    + #""center":{"x":\#(random.below(500)),"y":\#(random.below(500))}}"#
            )
        case 3:
            (
                "triangle",
                #"{"a":\#(random.below(100)),"b":\#(random.below(100)),"c":\#(random.below(100)),"label":"tri-\#(index)"}"#
            )
        default:
            (
                "text",
                #"{"content":"Shape number \#(index) in the list","fontSize":\#(8 + random.below(40)),"#
                    + #""bold":\#(random.below(2) == 0),"color":\#(random.below(3) == 0 ? "null" : "\"#3366cc\"")}"#
            )
        }
    }

    /// Returns records in the format of jsonplaceholder's users.
    static func users(_ count: Int) -> String {
        var random = Congruential(seed: 7)
        return "[" + (1...count).map { user($0, &random) }.joined(separator: ",") + "]"
    }

    private static func user(_ id: Int, _ random: inout Congruential) -> String {
        func word() -> String { words[random.below(words.count)] }
        let name = "\(word().capitalizedASCII) \(word().capitalizedASCII)"
        return """
            {"id":\(id),"name":"\(name)","username":"\(word())\(id)","email":"\(word()).\(id)@\(word()).example",\
            "address":{"street":"\(word().capitalizedASCII) Street","suite":"Apt. \(random.below(900))",\
            "city":"\(word().capitalizedASCII)borough","zipcode":"\(10_000 + random.below(89_999))-\(1000 + random.below(8999))",\
            "geo":{"lat":"\(random.below(180) - 90).\(1000 + random.below(8999))","lng":"\(random.below(360) - 180).\(1000 + random.below(8999))"}},\
            "phone":"1-770-\(100 + random.below(899))-\(1000 + random.below(8999)) x\(10_000 + random.below(89_999))","website":"\(word()).example",\
            "company":{"name":"\(word().capitalizedASCII)-\(word().capitalizedASCII)",\
            "catchPhrase":"\(word().capitalizedASCII) \(word()) \(word()) for every \(word())","bs":"\(word()) \(word()) e-\(word())"}}
            """
    }

    private static let words = [
        "harbour", "lantern", "quay", "ledger", "anchor", "signal", "cargo", "beacon", "tide", "mooring", "crane",
        "ballast",
        "pilot", "wharf", "rope", "keel",
    ]
}

/// A linear congruential generator with the same sequence on every platform.
private struct Congruential {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}

extension String {
    fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
