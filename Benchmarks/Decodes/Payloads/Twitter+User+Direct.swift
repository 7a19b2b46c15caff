internal import WharfJSON

// The expansion of @JSONCodable: the release benchmark is built without swift-syntax.

extension TwitterUser: JSONCodable {
    static func decode(from json: inout JSONReader) -> TwitterUser? {
        guard var fields = json.beginObject() else { return nil }
        var id: Int?
        var idStr: String?
        var name: String?
        var screenName: String?
        var location: String?
        var description: String?
        var url: String??
        var `protected`: Bool?
        var followersCount: Int?
        var friendsCount: Int?
        var listedCount: Int?
        var createdAt: String?
        var favouritesCount: Int?
        var utcOffset: Int??
        var timeZone: String??
        var geoEnabled: Bool?
        var verified: Bool?
        var statusesCount: Int?
        var lang: String?
        var contributorsEnabled: Bool?
        var isTranslator: Bool?
        var isTranslationEnabled: Bool?
        var profileBackgroundColor: String?
        var profileBackgroundImageUrl: String?
        var profileBackgroundImageUrlHttps: String?
        var profileBackgroundTile: Bool?
        var profileImageUrl: String?
        var profileImageUrlHttps: String?
        var profileBannerUrl: String??
        var profileLinkColor: String?
        var profileSidebarBorderColor: String?
        var profileSidebarFillColor: String?
        var profileTextColor: String?
        var profileUseBackgroundImage: Bool?
        var defaultProfile: Bool?
        var defaultProfileImage: Bool?
        var following: Bool?
        var followRequestSent: Bool?
        var notifications: Bool?
        repeat {
            json.read("id", 0, into: &id, &fields)
            json.read("id_str", 1, into: &idStr, &fields)
            json.read("name", 2, into: &name, &fields)
            json.read("screen_name", 3, into: &screenName, &fields)
            json.read("location", 4, into: &location, &fields)
            json.read("description", 5, into: &description, &fields)
            json.read("url", 6, into: &url, &fields)
            json.read("protected", 7, into: &`protected`, &fields)
            json.read("followers_count", 8, into: &followersCount, &fields)
            json.read("friends_count", 9, into: &friendsCount, &fields)
            json.read("listed_count", 10, into: &listedCount, &fields)
            json.read("created_at", 11, into: &createdAt, &fields)
            json.read("favourites_count", 12, into: &favouritesCount, &fields)
            json.read("utc_offset", 13, into: &utcOffset, &fields)
            json.read("time_zone", 14, into: &timeZone, &fields)
            json.read("geo_enabled", 15, into: &geoEnabled, &fields)
            json.read("verified", 16, into: &verified, &fields)
            json.read("statuses_count", 17, into: &statusesCount, &fields)
            json.read("lang", 18, into: &lang, &fields)
            json.read("contributors_enabled", 19, into: &contributorsEnabled, &fields)
            json.read("is_translator", 20, into: &isTranslator, &fields)
            json.read("is_translation_enabled", 21, into: &isTranslationEnabled, &fields)
            json.read("profile_background_color", 22, into: &profileBackgroundColor, &fields)
            json.read("profile_background_image_url", 23, into: &profileBackgroundImageUrl, &fields)
            json.read("profile_background_image_url_https", 24, into: &profileBackgroundImageUrlHttps, &fields)
            json.read("profile_background_tile", 25, into: &profileBackgroundTile, &fields)
            json.read("profile_image_url", 26, into: &profileImageUrl, &fields)
            json.read("profile_image_url_https", 27, into: &profileImageUrlHttps, &fields)
            json.read("profile_banner_url", 28, into: &profileBannerUrl, &fields)
            json.read("profile_link_color", 29, into: &profileLinkColor, &fields)
            json.read("profile_sidebar_border_color", 30, into: &profileSidebarBorderColor, &fields)
            json.read("profile_sidebar_fill_color", 31, into: &profileSidebarFillColor, &fields)
            json.read("profile_text_color", 32, into: &profileTextColor, &fields)
            json.read("profile_use_background_image", 33, into: &profileUseBackgroundImage, &fields)
            json.read("default_profile", 34, into: &defaultProfile, &fields)
            json.read("default_profile_image", 35, into: &defaultProfileImage, &fields)
            json.read("following", 36, into: &following, &fields)
            json.read("follow_request_sent", 37, into: &followRequestSent, &fields)
            json.read("notifications", 38, into: &notifications, &fields)
        } while json.next(&fields)
        guard let id, let idStr, let name, let screenName, let location, let description, let `protected`,
            let followersCount, let friendsCount, let listedCount, let createdAt, let favouritesCount, let geoEnabled,
            let verified, let statusesCount, let lang, let contributorsEnabled, let isTranslator,
            let isTranslationEnabled, let profileBackgroundColor, let profileBackgroundImageUrl,
            let profileBackgroundImageUrlHttps, let profileBackgroundTile, let profileImageUrl,
            let profileImageUrlHttps, let profileLinkColor, let profileSidebarBorderColor, let profileSidebarFillColor,
            let profileTextColor, let profileUseBackgroundImage, let defaultProfile, let defaultProfileImage,
            let following, let followRequestSent, let notifications
        else {
            return json.incomplete(
                fields,
                required: [
                    (0, "id"), (1, "id_str"), (2, "name"), (3, "screen_name"), (4, "location"), (5, "description"),
                    (7, "protected"), (8, "followers_count"), (9, "friends_count"), (10, "listed_count"),
                    (11, "created_at"), (12, "favourites_count"), (15, "geo_enabled"), (16, "verified"),
                    (17, "statuses_count"), (18, "lang"), (19, "contributors_enabled"), (20, "is_translator"),
                    (21, "is_translation_enabled"), (22, "profile_background_color"),
                    (23, "profile_background_image_url"), (24, "profile_background_image_url_https"),
                    (25, "profile_background_tile"), (26, "profile_image_url"), (27, "profile_image_url_https"),
                    (29, "profile_link_color"), (30, "profile_sidebar_border_color"),
                    (31, "profile_sidebar_fill_color"), (32, "profile_text_color"),
                    (33, "profile_use_background_image"), (34, "default_profile"), (35, "default_profile_image"),
                    (36, "following"), (37, "follow_request_sent"), (38, "notifications"),
                ])
        }
        return TwitterUser(
            id: id, idStr: idStr, name: name, screenName: screenName, location: location, description: description,
            url: url ?? nil, protected: `protected`, followersCount: followersCount, friendsCount: friendsCount,
            listedCount: listedCount, createdAt: createdAt, favouritesCount: favouritesCount,
            utcOffset: utcOffset ?? nil, timeZone: timeZone ?? nil, geoEnabled: geoEnabled, verified: verified,
            statusesCount: statusesCount, lang: lang, contributorsEnabled: contributorsEnabled,
            isTranslator: isTranslator, isTranslationEnabled: isTranslationEnabled,
            profileBackgroundColor: profileBackgroundColor, profileBackgroundImageUrl: profileBackgroundImageUrl,
            profileBackgroundImageUrlHttps: profileBackgroundImageUrlHttps,
            profileBackgroundTile: profileBackgroundTile, profileImageUrl: profileImageUrl,
            profileImageUrlHttps: profileImageUrlHttps, profileBannerUrl: profileBannerUrl ?? nil,
            profileLinkColor: profileLinkColor, profileSidebarBorderColor: profileSidebarBorderColor,
            profileSidebarFillColor: profileSidebarFillColor, profileTextColor: profileTextColor,
            profileUseBackgroundImage: profileUseBackgroundImage, defaultProfile: defaultProfile,
            defaultProfileImage: defaultProfileImage, following: following, followRequestSent: followRequestSent,
            notifications: notifications)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("id_str", idStr)
        json.field("name", name)
        json.field("screen_name", screenName)
        json.field("location", location)
        json.field("description", description)
        json.fieldIfPresent("url", url)
        json.field("protected", `protected`)
        json.field("followers_count", followersCount)
        json.field("friends_count", friendsCount)
        json.field("listed_count", listedCount)
        json.field("created_at", createdAt)
        json.field("favourites_count", favouritesCount)
        json.fieldIfPresent("utc_offset", utcOffset)
        json.fieldIfPresent("time_zone", timeZone)
        json.field("geo_enabled", geoEnabled)
        json.field("verified", verified)
        json.field("statuses_count", statusesCount)
        json.field("lang", lang)
        json.field("contributors_enabled", contributorsEnabled)
        json.field("is_translator", isTranslator)
        json.field("is_translation_enabled", isTranslationEnabled)
        json.field("profile_background_color", profileBackgroundColor)
        json.field("profile_background_image_url", profileBackgroundImageUrl)
        json.field("profile_background_image_url_https", profileBackgroundImageUrlHttps)
        json.field("profile_background_tile", profileBackgroundTile)
        json.field("profile_image_url", profileImageUrl)
        json.field("profile_image_url_https", profileImageUrlHttps)
        json.fieldIfPresent("profile_banner_url", profileBannerUrl)
        json.field("profile_link_color", profileLinkColor)
        json.field("profile_sidebar_border_color", profileSidebarBorderColor)
        json.field("profile_sidebar_fill_color", profileSidebarFillColor)
        json.field("profile_text_color", profileTextColor)
        json.field("profile_use_background_image", profileUseBackgroundImage)
        json.field("default_profile", defaultProfile)
        json.field("default_profile_image", defaultProfileImage)
        json.field("following", following)
        json.field("follow_request_sent", followRequestSent)
        json.field("notifications", notifications)
        json.endObject()
    }
}
