#if KillHarness
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Returns the path of an executable of the package, from the build folder.
///
/// It looks beside the running test bundle.
///
/// - Parameter name: the name of an executable target that the test target depends on.
/// - Throws: ``KillHarnessError`` when it is in none of the folders above the bundle.
public func builtExecutable(named name: String) throws(KillHarnessError) -> String {
    guard let image = imagePath() else {
        throw KillHarnessError("could not find the running test bundle, because the loader does not name it")
    }
    var folder = image[...]
    // On Apple platforms the binary is at `X.xctest/Contents/MacOS/X`, so the build folder is up to
    // four levels above.
    for _ in 0..<4 {
        guard let slash = folder.lastIndex(of: "/") else { break }
        folder = folder[..<slash]
        let candidate = "\(folder)/\(name)"
        if access(candidate, X_OK) == 0 { return candidate }
    }
    throw KillHarnessError(
        "there is no executable \(name) beside \(image); make the test target depend on it"
    )
}

private func imagePath() -> String? {
    #if os(Linux)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    #else
    var info = Dl_info()
    guard dladdr(#dsohandle, &info) != 0, let name = info.dli_fname else { return nil }
    return String(cString: name)
    #endif
}
#endif
