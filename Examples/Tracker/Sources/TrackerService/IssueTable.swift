import Foundation
import Tracker
import Wharf
import WharfTestServer

/// The issues of the service, each with the version that its entity tag names.
struct IssueTable {
    private(set) var rows: [Issue.ID: (issue: Issue, version: Int)] = [:]
    private var lastNumber = 0

    func list(_ request: TestRequest) -> TestResponse {
        let query = URLComponents(string: "?\(request.query ?? "")")?.queryItems ?? []
        func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
        var found = rows.values.map(\.issue).sorted { ($0.number ?? 0) < ($1.number ?? 0) }
        if let text = parameter("q") { found.removeAll { !$0.title.localizedCaseInsensitiveContains(text) } }
        if let page = parameter("page").flatMap(Int.init), let size = parameter("per_page").flatMap(Int.init) {
            found = Array(found.dropFirst((page - 1) * size).prefix(size))
        }
        return .encoding(found)
    }

    func get(_ request: TestRequest) -> TestResponse { row(request).map(tagged) ?? .status(404) }

    /// Adds an issue.
    ///
    /// If an issue comes again because its answer was lost, the answer is the stored issue.
    mutating func add(_ request: TestRequest) -> TestResponse {
        guard var issue = request.decoded(as: Issue.self) else { return .status(400) }
        if let known = rows[issue.id] { return tagged(known.issue, known.version) }
        lastNumber += 1
        issue.number = lastNumber
        rows[issue.id] = (issue, 1)
        return tagged(issue, 1)
    }

    /// Replaces the issue on `PUT` and removes it on `DELETE`, unless `If-Match` is stale.
    mutating func change(_ request: TestRequest) -> TestResponse {
        guard let known = row(request) else { return .status(404) }
        if let tag = request.fields[.ifMatch], tag != "\"\(known.version)\"" { return .status(412) }
        var changed = request.decoded(as: Issue.self)
        if request.method == .put, changed == nil { return .status(400) }
        changed?.number = known.issue.number
        rows[known.issue.id] = changed.map { ($0, known.version + 1) }
        return rows[known.issue.id].map(tagged) ?? .status(204)
    }

    private func row(_ request: TestRequest) -> (issue: Issue, version: Int)? { rows[request.parameters["id"] ?? ""] }
    private func tagged(_ issue: Issue, _ version: Int) -> TestResponse { .encoding(issue).etag("\"\(version)\"") }
}
