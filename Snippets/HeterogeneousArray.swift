// Article C, "Heterogeneous arrays": one array with elements of several kinds. It keeps their order
// and unknown kinds.
import Wharf
import WharfJSON

struct Photo: JSONCodable {
    let file: String

    static func decode(from json: inout JSONReader) -> Photo? {
        guard var fields = json.beginObject() else { return nil }
        var file: String?
        repeat { json.read("file", 0, into: &file, &fields) } while json.next(&fields)
        guard let file else { return json.incomplete(fields, required: [(0, "file")]) }
        return Photo(file: file)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("file", file)
        json.endObject()
    }
}

struct Quote: JSONCodable {
    let words: String
    let speaker: String?

    static func decode(from json: inout JSONReader) -> Quote? {
        guard var fields = json.beginObject() else { return nil }
        var words: String?
        var speaker: String??
        repeat {
            json.read("words", 0, into: &words, &fields)
            json.read("speaker", 1, into: &speaker, &fields)
        } while json.next(&fields)
        guard let words else { return json.incomplete(fields, required: [(0, "words")]) }
        return Quote(words: words, speaker: speaker ?? nil)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("words", words)
        json.fieldIfPresent("speaker", speaker)
        json.endObject()
    }
}

// A macro writes all of this: @Polymorphic(discriminator: "kind", content: "of"), with the trait
// Macros.
enum Post: JSONPolymorphic {
    case photo(Photo)
    case quote(Quote)
    case unknown(UnknownElement)

    enum Kind: String, CaseIterable { case photo, quote, unknown }

    static var discriminator: StaticString { "kind" }
    static var content: StaticString? { "of" }

    var kind: Kind {
        switch self {
        case .photo: .photo
        case .quote: .quote
        case .unknown: .unknown
        }
    }

    static func decode(_ kind: Kind, from json: inout JSONReader) -> Post? {
        switch kind {
        case .photo: Photo.decode(from: &json).map { .photo($0) }
        case .quote: Quote.decode(from: &json).map { .quote($0) }
        case .unknown: nil
        }
    }

    func encodeContent(into json: inout JSONWriter) {
        switch self {
        case .photo(let photo): photo.encode(into: &json)
        case .quote(let quote): quote.encode(into: &json)
        case .unknown: break
        }
    }

    static var unknownKind: Kind? { .unknown }
    static func keep(_ element: UnknownElement) -> Post? { .unknown(element) }
    var unknownElement: UnknownElement? { if case .unknown(let element) = self { element } else { nil } }
}

let answer = """
    [
      {"kind": "photo", "of": {"file": "pier.jpg"}},
      {"kind": "poll", "of": {"options": [1, 2.50]}},
      {"of": {"words": "The tide waits."}, "kind": "quote"},
      {"kind": "quote", "of": {"words": 7}}
    ]
    """

let posts = try JSON.decode(LossyArray<Post>.self, from: answer)
for post in posts {
    switch post {
    case .photo(let photo): print("photo \(photo.file)")
    case .quote(let quote): print("quote \(quote.words) by \(quote.speaker ?? "nobody")")
    case .unknown(let element): print("a \(element.kind), kept")
    }
}
for failure in posts.failures { print("left out:", failure) }
print("sent back:", String(decoding: try JSON.encode(posts), as: UTF8.self))

// Output:
// photo pier.jpg
// a poll, kept
// quote The tide waits. by nobody
// left out: 5:37: [3].of.words: expected a string, found the number 7
//       {"kind": "quote", "of": {"words": 7}}
//                                         ^
// sent back: [{"kind":"photo","of":{"file":"pier.jpg"}},{"kind": "poll", "of": {"options": [1, 2.50]}},{"kind":"quote","of":{"words":"The tide waits."}}]
