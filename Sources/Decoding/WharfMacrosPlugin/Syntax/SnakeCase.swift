extension String {
    /// The name in snake case: `createdAt` as `created_at`, `homeURLString` as `home_url_string`.
    var snakeCased: String {
        let characters = Array(self)
        var result = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0, characters[index - 1] != "_" {
                // In "homeURLString" only "U" and "S" begin words: "R" follows a capital and no
                // small letter follows it.
                let followsCapital = characters[index - 1].isUppercase
                let startsWord = index + 1 < characters.count && characters[index + 1].isLowercase
                if !followsCapital || startsWord { result += "_" }
            }
            result += character.lowercased()
        }
        return result
    }
}
