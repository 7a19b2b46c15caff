import Foundation
import WharfChecks

/// A message as parsed by a reader that allows only the forms of RFC 5322, 2045 and 2047.
struct StrictMessage {
    let fields: [(name: String, value: String)]
    let bodyText: String
    let bodyLines: [String]
    let encoding: String

    /// - Parameter bytes: the message with LF at the end of each line, as `sendmail` expects it.
    init(_ bytes: [UInt8]) throws {
        try require(bytes.allSatisfy { $0 < 0x80 && $0 != 0x0D && $0 != 0 }, "not 7 bit, or CR or NUL inside")
        try require(bytes.last == 0x0A, "the last line does not end")
        var lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
        lines.removeLast()
        try require(lines.allSatisfy { $0.utf8.count <= 998 }, "a line of more than 998 characters")
        let end = try require(lines.firstIndex(of: ""), "no empty line behind the header")
        var fields: [(name: String, value: String)] = []
        for line in lines[..<end] {
            // A mailbox of the maximum length can't be folded.
            let limit = line.contains("=?") ? 76 : line.contains("@") ? 320 : 78
            try require(line.utf8.count <= limit, "\(line.utf8.count) characters: \(line)")
            if line.hasPrefix(" ") || line.hasPrefix("\t") {
                try require(!line.allSatisfy(\.isWhitespace), "a folded line of spaces")
                try require(!fields.isEmpty, "the first line is folded")
                fields[fields.count - 1].value += line
            } else {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                try require(parts.count == 2 && parts[1].hasPrefix(" "), "no field: \(line)")
                try require(
                    !parts[0].isEmpty && parts[0].utf8.allSatisfy { (33...126).contains($0) }, "no name: \(line)")
                fields.append((String(parts[0]), String(parts[1].dropFirst())))
            }
        }
        try require(Set(fields.map { $0.name.lowercased() }).count == fields.count, "a field comes twice")
        self.fields = fields
        bodyLines = Array(lines[(end + 1)...])
        encoding = fields.first { $0.name == "Content-Transfer-Encoding" }?.value ?? ""
        bodyText = try StrictBody(encoding).decoded(bodyLines)
    }

    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    var subject: String? {
        get throws { try self["Subject"].map { try StrictText.unstructured($0) } }
    }

    func mailbox(_ name: String) throws -> (name: String, address: String) {
        try StrictText.mailbox(try require(self[name], "no field \(name)"))
    }
}

/// A body consists of terminated lines, or is empty.
struct StrictBody {
    let encoding: String

    init(_ encoding: String) { self.encoding = encoding }

    func decoded(_ lines: [String]) throws -> String {
        switch encoding {
        case "7bit":
            for line in lines {
                try require(
                    line.last != " " && line.last != "\t" && !line.hasPrefix("From "), "changed on its way: \(line)")
                try require(
                    line.utf8.allSatisfy { $0 >= 0x20 || $0 == 9 }, "control characters: \(line.debugDescription)")
            }
            return lines.map { $0 + "\n" }.joined()
        case "quoted-printable":
            var bytes: [UInt8] = []
            for (index, line) in lines.enumerated() {
                bytes += try quoted(line)
                let goesOn = line.hasSuffix("=")
                try require(!goesOn || index < lines.count - 1, "a soft line break at the end")
                if !goesOn { bytes.append(0x0A) }
            }
            return try require(String(validating: bytes, as: UTF8.self), "no UTF-8")
        case "base64":
            try require(lines.allSatisfy { $0.utf8.count <= 76 && !$0.isEmpty }, "a line of more than 76 characters")
            let data = try require(Data(base64Encoded: lines.joined()), "no Base64")
            let text = try require(String(validating: data, as: UTF8.self), "no UTF-8")
            let bytes = Array(text.utf8)
            for (index, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D {
                let other = byte == 0x0A ? index - 1 : index + 1
                try require(
                    bytes.indices.contains(other) && bytes[other] == 0x17 - byte, "half the end of a line at \(index)")
            }
            return String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self)
        default: throw Broken("the encoding \(encoding)")
        }
    }

    private func quoted(_ line: String) throws -> [UInt8] {
        try require(line.utf8.count <= 76, "\(line.utf8.count) characters in a line")
        try require(line.last != " " && line.last != "\t", "a space at the end of a line")
        try require(line.first != "." && !line.hasPrefix("From "), "changed on its way: \(line)")
        var bytes: [UInt8] = []
        var rest = Array(line.utf8)[...]
        if rest.last == UInt8(ascii: "=") { rest.removeLast() }
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "=") {
                try require((32...126).contains(byte) || byte == 9, "the byte \(byte) as it is")
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            try require(digits.allSatisfy { "0123456789ABCDEF".contains($0) } && digits.count == 2, "=\(digits)")
            bytes.append(try require(UInt8(digits, radix: 16), "=\(digits)"))
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

struct Broken: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
