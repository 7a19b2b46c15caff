// Payloads that are decoded directly, with the modules of JSON, and Foundation for its own types.
// ConsumerTests compiles them as a user's package and never runs them.
import Foundation
import Wharf
import WharfJSON
import WharfJSONFoundation

/// A hand-written payload with Foundation's types and a field in a custom format.
struct FilmPayload: JSONCodable, Sendable {
    let id: UUID
    let title: String
    let site: URL?
    let released: Date
    let changed: Date
    let price: Decimal

    static func decode(from json: inout JSONReader) -> FilmPayload? {
        guard var fields = json.beginObject() else { return nil }
        var id: UUID?
        var title: String?
        var site: URL??
        var released: Date?
        var changed: Date?
        var price: Decimal?
        repeat {
            json.read("id", 0, into: &id, &fields)
            json.read("title", 1, into: &title, &fields)
            json.read("site", 2, into: &site, &fields)
            json.read("released", 3, into: &released, &fields)
            json.read("changed", 4, as: MillisecondsSince1970.self, into: &changed, &fields)
            json.read("price", 5, into: &price, &fields)
        } while json.next(&fields)
        guard let id, let title, let released, let changed, let price else {
            return json.incomplete(
                fields, required: [(0, "id"), (1, "title"), (3, "released"), (4, "changed"), (5, "price")])
        }
        return FilmPayload(
            id: id, title: title, site: site ?? nil, released: released, changed: changed, price: price)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("title", title)
        json.fieldIfPresent("site", site)
        json.field("released", released)
        json.field("changed", changed, as: MillisecondsSince1970.self)
        json.field("price", price)
        json.endObject()
    }
}

struct Film: Identifiable, Sendable {
    let id: String
    let title: String

    init(_ payload: FilmPayload) {
        id = payload.id.uuidString
        title = payload.title
    }
}

func readDirectly() async throws {
    let stack = try await WharfStack.live(baseURL: "https://api.example.com")
    let films = stack.repository(at: "films", payload: FilmPayload.self) { Film($0) }
    let film: Film = try await films.get(id: "1")

    // A bad element affects neither its neighbours nor the answer.
    let list: LossyArray<FilmPayload> = try await stack.client.fetch(.get("films")).value
    let leftOut: [JSONIssue] = list.failures
    for payload in list { _ = payload.title }

    // An envelope, and strictness for a case that is lenient by default.
    let options = JSONReadingOptions(duplicateKeys: .reject)
    let enveloped = Request<[FilmPayload]>.get("films", decoding: .json(at: "data", "items", options: options))
    let snapshot = await stack.client.snapshot(enveloped)
    if let error = snapshot.error?.cause as? JSONError {
        let (path, location, all): (JSONPath, SourceLocation, [JSONIssue]) = (error.path, error.location, error.issues)
        _ = (path, location.line, location.column, all, error.description)
    }

    // The request is encoded by the same hand-written code, or by Codable.
    for payload in list { _ = try await stack.client.fetch(.put("films/1", json: payload, decoding: .ignored)) }
    let codable: UserPayload = try await stack.client.fetch(.post("users", json: ["name": "Ann"])).value
    _ = (film, leftOut, codable)

    let tree: JSONValue = try JSON.decode(from: #"{"a": [1.0, true]}"#)
    _ = try (tree["a"]?[0], JSON.encode(tree))
    await stack.close()
}
