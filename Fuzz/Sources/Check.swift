import WharfJSON

/// Traps if the condition is false for an input, so that the fuzzer keeps that input.
func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { fatalError(message()) }
}

/// Checks the invariants of an error, which hold for every document.
func checkPlaces(_ error: JSONError, length: Int, limit: Int = 1000) {
    var last = 0
    // The limit counts the errors of values. The syntax error that ended the reading is one more.
    check(error.issues.count <= limit + 1, "\(error.issues.count) issues are kept")
    for issue in error.issues {
        check((last...length).contains(issue.location.offset), "\(issue.location.offset) is behind or outside")
        last = issue.location.offset
        check(issue.location.line >= 1 && issue.location.column >= 1, "\(issue.location)")
        check(issue.location.column <= issue.location.offset + 1, "\(issue.location) of \(issue.location.offset)")
        let width = issue.excerpt.text.unicodeScalars.count
        check(width <= 72 && (0...width).contains(issue.excerpt.caret), "caret \(issue.excerpt.caret) in \(width)")
        check(!issue.expected.isEmpty && !issue.found.isEmpty, "\(issue)")
        check(issue.found.utf8.count <= 200, "\(issue)")
    }
}

/// The errors of JSON syntax, which do not depend on the type that is read.
let fatalCodes: Set<JSONIssue.Code> = [.syntax, .invalidUTF8, .tooDeep, .tooManyRewinds]

func outcome<Value: JSONDecodable>(
    _ type: Value.Type, _ bytes: JSONBytes, options: JSONReadingOptions = .init()
) -> Result<Value, JSONError> {
    do throws(JSONError) {
        return .success(try JSON.decode(type, from: bytes, options: options))
    } catch {
        return .failure(error)
    }
}

func encoded(_ value: some JSONEncodable) -> [UInt8] {
    do throws(JSONError) {
        return try JSON.encode(value)
    } catch {
        fatalError("what was decoded can't be encoded: \(error)")
    }
}
