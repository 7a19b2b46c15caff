import WharfCheck

extension PayloadCheck {
    /// The findings as `line:column: path: message`, each with the possibly hidden type after
    /// ` | `.
    func texts(_ json: String, strict: Bool = false, ignoredKeys: Bool = false) -> [String] {
        findings(in: Array(json.utf8), options: CheckOptions(isStrict: strict, findsIgnoredKeys: ignoredKeys)).map {
            let path = $0.path.isEmpty ? "" : "\($0.path): "
            return "\($0.location): \(path)\($0.message)" + ($0.hides.map { " | \($0)" } ?? "")
        }
    }
}
