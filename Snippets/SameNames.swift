// Article "Your first repository": an app with types that have the names of types of Wharf.
// snippet.types
import Wharf

struct Account: Identifiable, Codable, Sendable {
    let id: Int
    let iban: String
}

struct Page { let number: Int }

struct Query { let text: String }
// snippet.end

// snippet.qualified
let owner = WharfCore.Account("ann")  // Wharf's type, with its module
let mine = Account(id: 1, iban: "DE02120300000000202051")  // the app's type

func first(_ page: WharfCore.Page<Account>) -> Account? { page.items.first }

let filter: WharfHTTP.Query = ["q": "lamp"]
// snippet.end

// snippet.alias
typealias DataOwner = WharfCore.Account
// snippet.end

// snippet.implicit
/// The parameter's type is known, so the value needs no type name.
func open() async throws -> WharfStack {
    try await .live(baseURL: "https://api.example.com", account: .init("ann"))
}
// snippet.end

let same: DataOwner = owner
print(same.name, mine.iban.count, first(.init([mine], next: nil))?.id ?? 0)
print(Page(number: 2).number, Query(text: "lamp").text, filter == ["q": "lamp"])

// Output:
// ann 22 1
// 2 lamp true
