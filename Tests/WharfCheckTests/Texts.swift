import WharfCheck

extension PayloadCheck {
    /// Each finding as `line:column: path: message`, and behind ` | ` what may be hidden.
    func texts(_ json: String, strict: Bool = false, ignoredKeys: Bool = false) -> [String] {
        findings(in: Array(json.utf8), options: CheckOptions(isStrict: strict, findsIgnoredKeys: ignoredKeys)).map {
            let path = $0.path.isEmpty ? "" : "\($0.path): "
            return "\($0.location): \(path)\($0.message)" + ($0.hides.map { " | \($0)" } ?? "")
        }
    }
}
