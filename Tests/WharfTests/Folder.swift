import Foundation

/// A folder that is gone after the test.
func inFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wharf-stack-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let result: Swift.Result<Result, any Error>
    do {
        result = .success(try await body(folder.path(percentEncoded: false)))
    } catch {
        result = .failure(error)
    }
    try FileManager.default.removeItem(at: folder)
    return try result.get()
}
