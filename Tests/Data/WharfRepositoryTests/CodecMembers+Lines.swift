import WharfCore

extension CodecMembers {
    /// One line per member, in the form `name=value`.
    static let lines = CodecMembers { bytes in
        bytes.split(separator: UInt8(ascii: "\n")).map { line in
            .init(String(decoding: line.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self), Array(line))
        }
    } join: { members in
        Array(
            members.map { member -> [UInt8] in
                guard case .value(let line) = member.part else { return [] }
                return line
            }.joined(separator: [UInt8(ascii: "\n")]))
    }
}
