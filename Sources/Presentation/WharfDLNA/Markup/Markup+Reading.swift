internal import Foundation
internal import WharfPlayback

#if canImport(FoundationXML)
internal import FoundationXML
#endif

extension Markup {
    /// The maximum depth, beyond that of all known devices and well within the stack.
    static let deepest = 64

    /// Parses a document.
    ///
    /// A document type is refused, because it could declare entities that expand without bound.
    ///
    /// - Parameter place: the origin of the document, for messages.
    /// - Throws: `malformed` if the bytes are not XML, are nested deeper than ``deepest``, or
    ///   declare a document type.
    static func read(_ bytes: [UInt8], from place: String) throws(PlaybackError) -> Markup {
        let text = withoutDeclaration(decoded(bytes))
        // A parser that guesses UTF-16 would take a NUL for half of a unit. The checks below would
        // then miss a document type.
        guard !text.utf8.contains(0) else {
            throw PlaybackError(.malformed, "expected XML, found a NUL in \(place)")
        }
        // Both words are case-sensitive in XML, so this finds each of them (XML 1.0 §2.8, §4.2).
        for declaration in ["<!DOCTYPE", "<!ENTITY"] where text.contains(declaration) {
            throw PlaybackError(
                .malformed,
                "expected XML without a document type, which UPnP does not have, found \(declaration) in \(place)")
        }
        let parser = XMLParser(data: Data(text.utf8))
        let builder = MarkupBuilder()
        parser.delegate = builder
        guard parser.parse(), let root = builder.root, !builder.isTooDeep else {
            let found =
                builder.isTooDeep
                ? "elements nested deeper than \(deepest)"
                : "an error in line \(parser.lineNumber) of \(excerpt(of: text).debugDescription)"
            throw PlaybackError(.malformed, "expected an XML document from \(place), found \(found)")
        }
        return root
    }

    /// Decodes UTF-8, or else Latin-1.
    ///
    /// The architecture demands UTF-8, but some devices send Latin-1.
    private static func decoded(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Removes the XML declaration.
    ///
    /// The text is decoded already. Another declared encoding could hide a document type from the
    /// checks.
    private static func withoutDeclaration(_ text: String) -> String {
        let noise = CharacterSet.whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}\0"))
        let text = text.trimmingCharacters(in: noise)
        guard text.hasPrefix("<?xml"), let end = text.range(of: "?>") else { return text }
        return text[end.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func excerpt(of text: String) -> String { text.count > 80 ? text.prefix(80) + "…" : text }
}

private final class MarkupBuilder: NSObject, XMLParserDelegate {
    private var open: [Markup] = []
    private(set) var root: Markup?
    private(set) var isTooDeep = false

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        // The depth is checked while parsing: a deeper tree would overflow the stack when it is
        // searched or released.
        guard open.count < Markup.deepest else {
            isTooDeep = true
            parser.abortParsing()
            return
        }
        let local = attributes.map { (Self.local($0.key), $0.value) }
        open.append(Markup(name: Self.local(name), attributes: Dictionary(local) { first, _ in first }))
    }

    private static func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += text
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += String(decoding: block, as: UTF8.self)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard var element = open.popLast() else { return }
        element.text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }
}
