// Direct decoding and encoding of a payload, by code that a macro writes (trait Macros).
// snippet.hide
#if Macros
// snippet.show
import Foundation
import Wharf
import WharfJSON
import WharfJSONFoundation
import WharfMacros

@JSONCodable(keys: .snakeCase)
struct Ferry {
    let id: Int
    let name: String
    var nickname: String?
    var capacity = 100
    let status: Status
    @JSONField("position", "harbour") let harbour: String
    @JSONField("seen_at", as: SecondsSince1970.self) let seen: Date
}

@JSONCodable
enum Status: Equatable {
    case moored, sailing
    @JSONUnknown case other(String)
}

let answer = """
    {"data": [
      {"id": 1, "name": "Aurora", "status": "sailing", "position": {"harbour": "Kiel"}, "seen_at": 1700000000.25},
      {"id": 2, "name": "Boreas", "status": "in dock", "position": {"harbour": "Gdynia"}, "seen_at": 1700000060, "capacity": 80}
    ]}
    """

let ferries = try JSON.decode([Ferry].self, from: answer, at: "data")
for ferry in ferries {
    let status = if case .other(let text) = ferry.status { "\(text) (new to us)" } else { "\(ferry.status)" }
    print("\(ferry.name) for \(ferry.capacity), at \(ferry.harbour): \(status)")
}
print(String(decoding: try JSON.encode(ferries[0]), as: UTF8.self))

// All errors at once, each with its place.
do {
    _ = try JSON.decode(
        Ferry.self,
        from: """
            {"id": "7", "status": "moored",
             "position": {}, "seen_at": 1700000000}
            """)
} catch {
    print(error)
}
// snippet.hide
#endif
// snippet.show

// Output:
// Aurora for 100, at Kiel: sailing
// Boreas for 80, at Gdynia: in dock (new to us)
// {"id":1,"name":"Aurora","capacity":100,"status":"sailing","position":{"harbour":"Kiel"},"seen_at":1700000000.25}
// 3 errors
// 1:1: name: expected a value for the key "name", found an object without it
//     {"id": "7", "status": "moored",
//     ^
// 1:8: id: expected a whole number (Int), found the string "7"
//     {"id": "7", "status": "moored",
//            ^
// 2:14: position.harbour: expected a value for the key "harbour", found an object without it
//      "position": {}, "seen_at": 1700000000}
//                  ^
